// Noise of half a step of 8-bit colours, so that dark gradients have no visible steps.
float dither (vec2 pixel) { return (fract (52.9829189 * fract (dot (pixel, vec2 (0.06711056, 0.00583715)))) - 0.5) / 255.0; }
