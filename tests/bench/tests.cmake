# Guards against slower code by counting instructions, which neither load nor clock can disturb.
if (TARGET ode-rls AND NOT ODE_RLS_SANITIZE)
    add_test (NAME bench.instructions COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/instructions.sh $<TARGET_FILE:ode-rls>
        "${CMAKE_BUILD_TYPE}" "${CMAKE_C_COMPILER_ID}" "${CMAKE_SYSTEM_PROCESSOR}")
    set_tests_properties (bench.instructions PROPERTIES TIMEOUT 300 SKIP_RETURN_CODE 77)
endif ()

# What steps cost on the work of games and robots: bench_works free:2000 pushed:net:10:1 ...
add_executable (bench_works ${CMAKE_CURRENT_LIST_DIR}/works.c)
target_link_libraries (bench_works PRIVATE ode_rls_scene m)
