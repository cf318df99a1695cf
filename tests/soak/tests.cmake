# Long runs, tests/soak/run.sh BUILD; here a short form of them.
add_executable (soak ${CMAKE_CURRENT_LIST_DIR}/soak.c)
target_link_libraries (soak PRIVATE ode_rls_scene m)
add_test (NAME soak.bricard COMMAND soak ${PROJECT_SOURCE_DIR}/demos/scenes/bricard.sdf 20000)
add_test (NAME soak.fourbars COMMAND soak ${PROJECT_SOURCE_DIR}/demos/scenes/nfourbar_n2.sdf 10000)
add_test (NAME soak.ragdolls COMMAND soak ragdolls:1 2000)
