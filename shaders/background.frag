#version 330 core
// A background that is lighter in the middle and darker towards the corners.
#include "dither.glsl"

in vec3 shade;
out vec4 color;

void main () { color = vec4 (shade + dither (gl_FragCoord.xy), 1.0); }
