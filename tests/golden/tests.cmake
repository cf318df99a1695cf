# Trajectories bit for bit: the same for any number of threads, and the same as recorded.
add_executable (trajectories ${CMAKE_CURRENT_LIST_DIR}/trajectories.c)
target_compile_definitions (trajectories PRIVATE SCENES="${PROJECT_SOURCE_DIR}/demos/scenes")
target_link_libraries (trajectories PRIVATE ode_rls_scene m)
foreach (what threads recorded)
    add_test (NAME golden.${what}
        COMMAND ${CMAKE_CURRENT_LIST_DIR}/check.sh ${what} $<TARGET_FILE:trajectories> ${PROJECT_SOURCE_DIR})
    set_tests_properties (golden.${what} PROPERTIES SKIP_RETURN_CODE 77)
endforeach ()
