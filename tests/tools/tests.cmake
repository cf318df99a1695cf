# The direction of includes in plugin/src.
add_test (NAME tools.layers COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/layers.sh ${PROJECT_SOURCE_DIR})
# Real constants are in tolerances.h.
add_test (NAME tools.constants COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/constants.sh ${PROJECT_SOURCE_DIR})
# Long functions have paragraphs.
add_test (NAME tools.paragraphs COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/paragraphs.sh ${PROJECT_SOURCE_DIR})
# Comments name what is there.
add_test (NAME tools.names COMMAND python3 ${CMAKE_CURRENT_LIST_DIR}/names.py ${PROJECT_SOURCE_DIR})
# The mechanisms that mechanisms.sh takes out are there.
add_test (NAME tools.mechanisms COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/found.sh ${PROJECT_SOURCE_DIR})
