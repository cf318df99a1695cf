# The viewer's page, where demos/web/build.sh has built it and Chromium is there.
find_package (Python3 COMPONENTS Interpreter)
if (Python3_FOUND)
    add_test (NAME web.page COMMAND ${Python3_EXECUTABLE} -W ignore ${CMAKE_CURRENT_LIST_DIR}/page.py
        ${PROJECT_SOURCE_DIR}/build-page/page.html)
    set_tests_properties (web.page PROPERTIES TIMEOUT 300 SKIP_RETURN_CODE 77)
endif ()
