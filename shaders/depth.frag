#version 330 core
// For the shadow map, and where only the depth is drawn: no colour is written.
void main () {}
