# The examples: built as users build them but from this tree, run, their output checked.
add_subdirectory (${PROJECT_SOURCE_DIR}/demos/examples ${PROJECT_BINARY_DIR}/examples)
foreach (name drop_in redundancy reactions force_callback iltis ragdoll_loop robot_pd many_worlds learn)
    add_test (NAME examples.${name} COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/check.sh ${name} $<TARGET_FILE:${name}>)
    set_tests_properties (examples.${name} PROPERTIES TIMEOUT 120)
endforeach ()
if (TARGET many_worlds_mpi)
    add_test (NAME examples.many_worlds_mpi COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/check.sh many_worlds_mpi
        $<TARGET_FILE:many_worlds_mpi> $<TARGET_FILE:many_worlds> ${MPIEXEC_EXECUTABLE})
    set_tests_properties (examples.many_worlds_mpi PROPERTIES TIMEOUT 120 SKIP_RETURN_CODE 77
        ENVIRONMENT ASAN_OPTIONS=detect_leaks=0) # those of MPI are its own affair
endif ()
if (TARGET ode-rls)
    add_test (NAME examples.own_scene COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/check.sh own_scene
        $<TARGET_FILE:own_scene> $<TARGET_FILE:ode-rls>)
endif ()
if (TARGET ode_rls_preload AND NOT ODE_RLS_SANITIZE)
    add_test (NAME examples.pyode COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/check.sh pyode
        ${PROJECT_SOURCE_DIR}/demos/examples/pyode.py $<TARGET_FILE:ode_rls_preload>)
    set_tests_properties (examples.pyode PROPERTIES TIMEOUT 120 SKIP_RETURN_CODE 77)
endif ()
if (TARGET ode-rls AND NOT ODE_RLS_SANITIZE)
    add_test (NAME examples.documents COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/test_documents.sh ${PROJECT_SOURCE_DIR}
        ${PROJECT_BINARY_DIR} ${CMAKE_C_COMPILER})
    set_tests_properties (examples.documents PROPERTIES TIMEOUT 120)
endif ()
