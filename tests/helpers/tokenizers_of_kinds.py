"""Small tokenizers of the two kinds that language models use, as Hugging Face folders."""

import json
from pathlib import Path
from typing import Any

from tokenizers import AddedToken, Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers

SAMPLE = [
    "The quick brown fox jumps over the lazy dog. 0123456789 im_end im_start user system assistant think end of turn",
    "한국어 문장도 있습니다. Ein Satz mit Umlauten: äöüß. Une phrase française, né en été. s </s> <s> [INST]",
] * 4

SPECIAL = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
CHATML = (
    "{% for message in messages %}"
    "{{ '<|im_start|>' + message['role'] + '\n' + message['content'] + '<|im_end|>' + '\n' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
)
LLAMA = (
    "{{ bos_token }}{% for message in messages %}"
    "{% if message['role'] == 'system' %}{{ raise_exception('no system') }}{% endif %}"
    "{% if message['role'] == 'user' %}{{ '[INST] ' + message['content'] + ' [/INST]' }}"
    "{% else %}{{ ' ' + message['content'] + eos_token }}{% endif %}{% endfor %}"
)


def byte_level(folder: Path) -> Path:
    """A GPT-2-like tokenizer: byte alphabet, ChatML, `<think>` as an added token that is not special."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=500, initial_alphabet=alphabet, show_progress=False)
    tokenizer.train_from_iterator(SAMPLE, trainer)
    tokenizer.add_special_tokens([AddedToken(token, special=True, normalized=False) for token in SPECIAL])
    tokenizer.add_tokens([AddedToken("<think>", normalized=False), AddedToken("</think>", normalized=False)])
    return _saved(tokenizer, folder, {"eos_token": "<|im_end|>", "chat_template": CHATML})


def sentence_piece(folder: Path) -> Path:
    """A Llama-2-like tokenizer: ▁ for spaces, bytes as fallback, merges that spell `</s>`, a template without system turns."""
    special = ["<unk>", "<s>", "</s>"]
    spelled = ["<", "/", "s", ">", "</", "s>"]
    bytes_ = [f"<0x{byte:02X}>" for byte in range(256)]
    letters = sorted({letter for text in SAMPLE for letter in text.replace(" ", "▁") if letter.isascii() or letter == "▁"})
    vocabulary = {token: index for index, token in enumerate(dict.fromkeys([*special, *bytes_, *spelled, *letters]))}
    merges = [("<", "/"), ("s", ">"), ("</", "s>")]
    tokenizer = Tokenizer(models.BPE(vocabulary, merges, unk_token="<unk>", fuse_unk=True, byte_fallback=True))
    tokenizer.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    tokenizer.decoder = decoders.Sequence(
        [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)]
    )
    tokenizer.add_special_tokens([AddedToken(token, special=True, normalized=False) for token in special])
    return _saved(tokenizer, folder, {"bos_token": "<s>", "eos_token": {"content": "</s>"}, "chat_template": LLAMA})


KINDS = {"byte level": byte_level, "sentence piece": sentence_piece}


def _saved(tokenizer: Tokenizer, folder: Path, settings: dict[str, Any]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer.save(str(folder / "tokenizer.json"))
    (folder / "tokenizer_config.json").write_text(json.dumps(settings), encoding="utf-8")
    return folder
