# Written by `edgevox endpoints generate` from models.json; change that and generate again.
"""Endpoints by provider and model. Importing this needs no key, no client library and no network."""

# fmt: off
# ruff: noqa
import typing as _typing

from edgevox.endpoints.catalog import Catalog as _Catalog

__all__ = ["local", "llama_cpp", "ollama", "vllm", "lm_studio", "openrouter", "cerebras", "groq"]

if _typing.TYPE_CHECKING:
    from edgevox.endpoints.endpoint import LLMEndpoint as _LLMEndpoint
    from edgevox.endpoints.local import LocalEndpoint as _LocalEndpoint
    from edgevox.endpoints.transcription import TranscriptionEndpoint as _TranscriptionEndpoint

    class _localCatalog(_Catalog):
        qwen2_5_coder_1_5b_instruct: _LocalEndpoint
        smollm2_135m_instruct: _LocalEndpoint
        lfm2_1_2b: _LocalEndpoint
        qwen2_5_3b_instruct: _LocalEndpoint
        qwen3_4b_instruct: _LocalEndpoint
        gemma_4_e2b_it: _LocalEndpoint

    class _llama_cppCatalog(_Catalog):
        loaded: _LLMEndpoint

    class _ollamaCatalog(_Catalog):
        qwen3_4b: _LLMEndpoint
        llama3_2_3b: _LLMEndpoint
        gemma3_4b: _LLMEndpoint

    class _vllmCatalog(_Catalog):
        qwen3_4b: _LLMEndpoint
        whisper_large_v3_turbo: _TranscriptionEndpoint

    class _lm_studioCatalog(_Catalog):
        qwen3_4b: _LLMEndpoint

    class _openrouterCatalog(_Catalog):
        z_ai__glm_5_3: _LLMEndpoint
        openai__gpt_oss_120b: _LLMEndpoint
        qwen__qwen3_32b: _LLMEndpoint

    class _cerebrasCatalog(_Catalog):
        gpt_oss_120b: _LLMEndpoint
        llama_3_3_70b: _LLMEndpoint

    class _groqCatalog(_Catalog):
        llama_3_3_70b_versatile: _LLMEndpoint
        llama_3_1_8b_instant: _LLMEndpoint
        openai__gpt_oss_20b: _LLMEndpoint
        whisper_large_v3: _TranscriptionEndpoint
        whisper_large_v3_turbo: _TranscriptionEndpoint

    local: _localCatalog
    llama_cpp: _llama_cppCatalog
    ollama: _ollamaCatalog
    vllm: _vllmCatalog
    lm_studio: _lm_studioCatalog
    openrouter: _openrouterCatalog
    cerebras: _cerebrasCatalog
    groq: _groqCatalog
else:
    local = _Catalog("local", {'engine': 'edgevox',
     'models': {'qwen2_5_coder_1_5b_instruct': {'model_id': 'qwen2.5-coder-1.5b-instruct',
                                                'endpoint_type': 'llm',
                                                'max_context_tokens': 4096},
                'smollm2_135m_instruct': {'model_id': 'smollm2-135m-instruct',
                                          'endpoint_type': 'llm',
                                          'max_context_tokens': 4096},
                'lfm2_1_2b': {'model_id': 'lfm2-1.2b', 'endpoint_type': 'llm', 'max_context_tokens': 4096},
                'qwen2_5_3b_instruct': {'model_id': 'qwen2.5-3b-instruct',
                                        'endpoint_type': 'llm',
                                        'max_context_tokens': 4096},
                'qwen3_4b_instruct': {'model_id': 'qwen3-4b-instruct',
                                      'endpoint_type': 'llm',
                                      'max_context_tokens': 4096},
                'gemma_4_e2b_it': {'model_id': 'gemma-4-e2b-it',
                                   'endpoint_type': 'llm',
                                   'max_context_tokens': 4096}}})
    llama_cpp = _Catalog("llama_cpp", {'base_url': 'http://127.0.0.1:8080/v1',
     'timeout_s': 120.0,
     'models': {'loaded': {'model_id': 'default', 'endpoint_type': 'llm', 'max_context_tokens': 4096}}})
    ollama = _Catalog("ollama", {'base_url': 'http://127.0.0.1:11434/v1',
     'timeout_s': 120.0,
     'models': {'qwen3_4b': {'model_id': 'qwen3:4b', 'endpoint_type': 'llm', 'max_context_tokens': 4096},
                'llama3_2_3b': {'model_id': 'llama3.2:3b', 'endpoint_type': 'llm', 'max_context_tokens': 4096},
                'gemma3_4b': {'model_id': 'gemma3:4b', 'endpoint_type': 'llm', 'max_context_tokens': 4096}}})
    vllm = _Catalog("vllm", {'base_url': 'http://127.0.0.1:8000/v1',
     'timeout_s': 120.0,
     'models': {'qwen3_4b': {'model_id': 'Qwen/Qwen3-4B', 'endpoint_type': 'llm', 'max_context_tokens': 32768},
                'whisper_large_v3_turbo': {'model_id': 'openai/whisper-large-v3-turbo',
                                           'endpoint_type': 'transcription'}}})
    lm_studio = _Catalog("lm_studio", {'base_url': 'http://127.0.0.1:1234/v1',
     'timeout_s': 120.0,
     'models': {'qwen3_4b': {'model_id': 'qwen/qwen3-4b', 'endpoint_type': 'llm', 'max_context_tokens': 4096}}})
    openrouter = _Catalog("openrouter", {'base_url': 'https://openrouter.ai/api/v1',
     'api_key_env': 'OPENROUTER_API_KEY_SECRET',
     'models': {'z_ai__glm_5_3': {'model_id': 'z-ai/glm-5.3',
                                  'endpoint_type': 'llm',
                                  'max_context_tokens': 200000},
                'openai__gpt_oss_120b': {'model_id': 'openai/gpt-oss-120b',
                                         'endpoint_type': 'llm',
                                         'max_context_tokens': 131072},
                'qwen__qwen3_32b': {'model_id': 'qwen/qwen3-32b',
                                    'endpoint_type': 'llm',
                                    'max_context_tokens': 40960}}})
    cerebras = _Catalog("cerebras", {'base_url': 'https://api.cerebras.ai/v1',
     'api_key_env': 'CEREBRAS_API_KEY_SECRET',
     'models': {'gpt_oss_120b': {'model_id': 'gpt-oss-120b', 'endpoint_type': 'llm', 'max_context_tokens': 65536},
                'llama_3_3_70b': {'model_id': 'llama-3.3-70b',
                                  'endpoint_type': 'llm',
                                  'max_context_tokens': 65536}}})
    groq = _Catalog("groq", {'base_url': 'https://api.groq.com/openai/v1',
     'api_key_env': 'GROQ_API_KEY_SECRET',
     'models': {'llama_3_3_70b_versatile': {'model_id': 'llama-3.3-70b-versatile',
                                            'endpoint_type': 'llm',
                                            'max_context_tokens': 131072},
                'llama_3_1_8b_instant': {'model_id': 'llama-3.1-8b-instant',
                                         'endpoint_type': 'llm',
                                         'max_context_tokens': 131072},
                'openai__gpt_oss_20b': {'model_id': 'openai/gpt-oss-20b',
                                        'endpoint_type': 'llm',
                                        'max_context_tokens': 131072},
                'whisper_large_v3': {'model_id': 'whisper-large-v3', 'endpoint_type': 'transcription'},
                'whisper_large_v3_turbo': {'model_id': 'whisper-large-v3-turbo',
                                           'endpoint_type': 'transcription'}}})
