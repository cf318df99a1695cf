# The direction of includes in plugin/src.
add_test (NAME tools.layers COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/layers.sh ${PROJECT_SOURCE_DIR})
