# The LD_PRELOAD shim: an unmodified program, a Python script and a game, with and without it.
if (TARGET ode_rls_preload)
    add_executable (preload_program preload/program.c)
    target_link_libraries (preload_program PRIVATE PkgConfig::ODE Threads::Threads m)

    function (add_preload_test name program)
        add_test (NAME preload.${name} COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/preload/check.sh
            ${name} $<TARGET_FILE:ode_rls_preload> ${program})
        set_tests_properties (preload.${name} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 120)
    endfunction ()

    foreach (name loop quick by_call statistics settings decimal_comma bad_values passing_on fallback threads terminated)
        add_preload_test (${name} $<TARGET_FILE:preload_program>)
    endforeach ()
    if (NOT ODE_RLS_SANITIZE) # programs that were built without sanitizers cannot load a shim with them
        add_preload_test (pyode ${CMAKE_CURRENT_SOURCE_DIR}/preload/loop.py)
        pkg_check_modules (OMPL ompl)
        find_library (OMPL_LIBRARY ompl)
        set (planner ompl_is_not_there)
        if (OMPL_FOUND AND OMPL_LIBRARY)
            add_executable (preload_ompl preload/ompl.cpp)
            target_include_directories (preload_ompl SYSTEM PRIVATE ${OMPL_INCLUDE_DIRS})
            target_compile_options (preload_ompl PRIVATE -w)
            target_link_libraries (preload_ompl PRIVATE ${OMPL_LIBRARY} PkgConfig::ODE)
            set (planner $<TARGET_FILE:preload_ompl>)
        endif ()
        add_preload_test (ompl ${planner})
        add_preload_test (mokomaze mokomaze)
        set_tests_properties (preload.mokomaze PROPERTIES RUN_SERIAL ON) # two X servers starting at once may collide
        foreach (game mu-cade xmoto stormbaancoureur)
            add_test (NAME preload.${game} COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/preload/games.sh
                ${game} $<TARGET_FILE:ode_rls_preload>)
            set_tests_properties (preload.${game} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 300 RUN_SERIAL ON)
        endforeach ()
    endif ()
endif ()
