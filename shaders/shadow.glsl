// Programs are compiled with and without the macro SHADOWS.
#ifdef SHADOWS

// The part of the light that reaches a point: the mean of twelve lookups in a disc, rotated differently in each pixel.
float shadow_light (vec3 world, vec3 normal, float slope, vec2 pixel, float softness)
{
    vec3 p = (shadow_matrix * vec4 (world + normal * (0.006 * eye.w * slope), 1.0)).xyz;
    if (any (lessThan (p, vec3 (0.0))) || any (greaterThan (p, vec3 (1.0)))) return 1.0;
    float texel = 1.0 / float (textureSize (shadow_map, 0).x);
    float turn = 6.2831853 * fract (52.9829189 * fract (dot (pixel, vec2 (0.06711056, 0.00583715))));
    float sum = 0.0;
    for (int i = 0; i < 12; i++)
    {
        float r = sqrt ((float (i) + 0.5) / 12.0) * softness * texel, a = turn + 2.3999632 * float (i);
        sum += texture (shadow_map, vec3 (p.xy + r * vec2 (cos (a), sin (a)), p.z - 0.0008));
    }
    return sum / 12.0;
}

#else
#define shadow_light(world, normal, slope, pixel, softness) 1.0
#endif
