#version 330 core
in vec4 tint;
in float across;
in float travelled;
flat in float half_width;
flat in float dash;

out vec4 color;

void main ()
{
    float cover = clamp (half_width + 0.5 - abs (across), 0.0, 1.0);
    if (dash > 0.0) cover *= clamp (0.5 + 0.5 * dash * (0.5 - abs (fract (travelled / (2.0 * dash)) - 0.5) - 0.25) * 4.0, 0.0, 1.0);
    color = vec4 (tint.rgb, tint.a * cover);
    if (color.a < 0.004) discard;
}
