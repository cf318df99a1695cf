# What was asked of the reference problems and what is reached; the whole table: build/bin/reference_figures.
if (TARGET ode_rls_scene)
    add_executable (reference_figures ${CMAKE_CURRENT_LIST_DIR}/figures.c)
    target_compile_definitions (reference_figures PRIVATE SCENES="${PROJECT_SOURCE_DIR}/demos/scenes"
        REFERENCES="${PROJECT_SOURCE_DIR}/tests/reference")
    target_link_libraries (reference_figures PRIVATE ode_rls_scene m)
    add_test (NAME reference.figures COMMAND reference_figures --quick)
endif ()
