# The allocation tests put themselves between the library and its allocator.
target_link_options (test_stepper_fault PRIVATE
    LINKER:--wrap=malloc LINKER:--wrap=calloc LINKER:--wrap=realloc LINKER:--wrap=aligned_alloc)
target_link_options (test_stepper_allocations PRIVATE
    LINKER:--wrap=malloc LINKER:--wrap=calloc LINKER:--wrap=realloc LINKER:--wrap=aligned_alloc)
