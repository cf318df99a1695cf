#version 330 core
// Shadow map and depth-only passes: nothing to write but depth.
void main () {}
