#version 330 core
// A quiet gradient, lighter behind the mechanism, darker towards the corners.
#include "dither.glsl"

in vec3 shade;
out vec4 color;

void main () { color = vec4 (shade + dither (gl_FragCoord.xy), 1.0); }
