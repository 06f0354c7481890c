// The buffer type that holds packed weights. See matrix-buffer.cpp.
#pragma once

#include "ggml-backend.h"

ggml_backend_buffer_type_t ggml_backend_cpu_wasm_buffer_type(void);
