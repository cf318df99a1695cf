# ode_call_names (FOLDER): ode_call_names.h there, which makes the name of each function in the lists of ode_calls.h stand
# for its entry of the table.
set (ODE_CALLS ${CMAKE_CURRENT_LIST_DIR}/../src/ode/ode_calls.h)
function (ode_call_names folder)
    set_property (DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${ODE_CALLS})
    file (READ ${ODE_CALLS} lists)
    string (REGEX MATCHALL "X \\(d[A-Za-z0-9]+\\)" entries "${lists}")
    list (TRANSFORM entries REPLACE "X \\((.*)\\)" "#define \\1 rls_ode.\\1\n")
    string (JOIN "" lines ${entries})
    file (CONFIGURE OUTPUT ${folder}/ode_call_names.h CONTENT "${lines}" @ONLY)
endfunction ()
