# Tables of the documents are those that were made, and the quick ones are made again.
find_program (PYTHON3 python3)
if (PYTHON3 AND TARGET ode-rls)
    add_test (NAME documents.figures COMMAND ${PYTHON3} ${CMAKE_CURRENT_LIST_DIR}/figures.py $<TARGET_FILE_DIR:ode-rls> --check)
endif ()
