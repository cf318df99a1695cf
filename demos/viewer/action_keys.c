/*
 * Which key does which action.  Ctrl-P, O, S, W and X are the keys of drawstuff, ODE's own viewer.
 */
#include "actions.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#define SHIFT 1
#define CONTROL 2

/* The action of a key with these modifiers, -1 if it has none. */
static int action_of_key (int key, int modifiers)
{
    static const struct
    {
        int key, modifiers, kind;
    } keys[] = {
        {GLFW_KEY_SPACE, 0, ACTION_PAUSE},
        {GLFW_KEY_P, CONTROL, ACTION_PAUSE},
        {GLFW_KEY_RIGHT, 0, ACTION_FORWARD},
        {GLFW_KEY_O, CONTROL, ACTION_FORWARD},
        {GLFW_KEY_LEFT, 0, ACTION_BACK},
        {GLFW_KEY_RIGHT, SHIFT, ACTION_FORWARD_FAR},
        {GLFW_KEY_LEFT, SHIFT, ACTION_BACK_FAR},
        {GLFW_KEY_BACKSPACE, 0, ACTION_RESET},
        {GLFW_KEY_MINUS, 0, ACTION_SLOWER},
        {GLFW_KEY_KP_SUBTRACT, 0, ACTION_SLOWER},
        {GLFW_KEY_EQUAL, 0, ACTION_FASTER},
        {GLFW_KEY_EQUAL, SHIFT, ACTION_FASTER},
        {GLFW_KEY_KP_ADD, 0, ACTION_FASTER},
        {GLFW_KEY_1, 0, ACTION_A_ODE},
        {GLFW_KEY_2, 0, ACTION_A_QUICK},
        {GLFW_KEY_3, 0, ACTION_A_RLS},
        {GLFW_KEY_1, SHIFT, ACTION_B_ODE},
        {GLFW_KEY_2, SHIFT, ACTION_B_QUICK},
        {GLFW_KEY_3, SHIFT, ACTION_B_RLS},
        {GLFW_KEY_I, 0, ACTION_INTEGRATOR_B},
        {GLFW_KEY_I, SHIFT, ACTION_INTEGRATOR_A},
        {GLFW_KEY_PAGE_DOWN, 0, ACTION_NEXT_SCENE},
        {GLFW_KEY_PAGE_UP, 0, ACTION_LAST_SCENE},
        {GLFW_KEY_S, 0, ACTION_LAYOUT},
        {GLFW_KEY_G, 0, ACTION_GHOST},
        {GLFW_KEY_M, 0, ACTION_MAP},
        {GLFW_KEY_L, 0, ACTION_LABELS},
        {GLFW_KEY_R, 0, ACTION_REACTIONS},
        {GLFW_KEY_A, 0, ACTION_AXES},
        {GLFW_KEY_E, 0, ACTION_GAPS},
        {GLFW_KEY_D, 0, ACTION_MOTION},
        {GLFW_KEY_T, 0, ACTION_GLASS},
        {GLFW_KEY_W, 0, ACTION_WIRE},
        {GLFW_KEY_P, 0, ACTION_TRAILS},
        {GLFW_KEY_S, CONTROL, ACTION_SHADOWS},
        {GLFW_KEY_F, 0, ACTION_FIT},
        {GLFW_KEY_N, 0, ACTION_NEXT_JOINT},
        {GLFW_KEY_X, 0, ACTION_CUT},
        {GLFW_KEY_Y, 0, ACTION_DOUBLE},
        {GLFW_KEY_Z, 0, ACTION_THROW},
        {GLFW_KEY_U, 0, ACTION_KEEP_STATE},
        {GLFW_KEY_U, SHIFT, ACTION_COME_BACK},
        {GLFW_KEY_O, 0, ACTION_CONTACTS},
        {GLFW_KEY_Q, 0, ACTION_RACE},
        {GLFW_KEY_Z, CONTROL, ACTION_UNDO},
        {GLFW_KEY_V, SHIFT, ACTION_SHARE},
        {GLFW_KEY_B, 0, ACTION_PLOTS},
        {GLFW_KEY_J, 0, ACTION_DETAIL},
        {GLFW_KEY_TAB, 0, ACTION_PANEL},
        {GLFW_KEY_F12, 0, ACTION_PICTURE},
        {GLFW_KEY_V, 0, ACTION_FILM},
        {GLFW_KEY_W, CONTROL, ACTION_FILM},
        {GLFW_KEY_C, 0, ACTION_CSV},
        {GLFW_KEY_K, 0, ACTION_KEEP},
        {GLFW_KEY_K, SHIFT, ACTION_FORGET},
        {GLFW_KEY_F5, 0, ACTION_SHADERS},
        {GLFW_KEY_H, 0, ACTION_HELP},
        {GLFW_KEY_F1, 0, ACTION_HELP},
        {GLFW_KEY_F2, 0, ACTION_KEYBOARD},
        {GLFW_KEY_F11, 0, ACTION_FULL_SCREEN},
        {GLFW_KEY_Q, CONTROL, ACTION_QUIT},
        {GLFW_KEY_X, CONTROL, ACTION_QUIT},
        {GLFW_KEY_ESCAPE, 0, ACTION_ESCAPE},
    };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (keys[i].key == key && keys[i].modifiers == modifiers) return keys[i].kind;
    return -1;
}

/* The keys that work the controls of the panel while the user has given the keyboard to them (F2). */
static int is_control_key (int key)
{
    return (key >= GLFW_KEY_RIGHT && key <= GLFW_KEY_UP) || key == GLFW_KEY_SPACE || key == GLFW_KEY_ENTER ||
           key == GLFW_KEY_TAB || key == GLFW_KEY_ESCAPE;
}

/* Does what a key with modifiers stands for, if anything. */
static void do_key (app *a, int key, int modifiers)
{
    if (a->keyboard && is_control_key (key)) return;
    if (!modifiers && key >= GLFW_KEY_4 && key <= GLFW_KEY_9)
        action_look (a, key - GLFW_KEY_4);
    else if (!modifiers && (key == GLFW_KEY_LEFT_BRACKET || key == GLFW_KEY_RIGHT_BRACKET))
        action_step_size (a, key == GLFW_KEY_RIGHT_BRACKET);
    else
    {
        int kind = action_of_key (key, modifiers);
        if (kind >= 0) action_do (a, kind);
    }
}

void action_glfw_key (app *a, int key, int event, int modifiers)
{
    /* While a list is open, the arrow keys move in it. */
    if (event == GLFW_RELEASE || ui_wants_keyboard ()) return;
    const int repeats = key == GLFW_KEY_LEFT || key == GLFW_KEY_RIGHT || key == GLFW_KEY_MINUS ||
                        key == GLFW_KEY_EQUAL || key == GLFW_KEY_PAGE_UP || key == GLFW_KEY_PAGE_DOWN;
    if (event == GLFW_REPEAT && !repeats) return;
    const int mask = (modifiers & GLFW_MOD_SHIFT ? SHIFT : 0) | (modifiers & GLFW_MOD_CONTROL ? CONTROL : 0);
    do_key (a, key, mask);
}
