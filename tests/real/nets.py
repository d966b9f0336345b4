"""The real models of models.lock: how many taps each has, and the shapes and ranges it is run with."""


def words(dims=None, **inputs):
    """Options of assay: sizes by dimension, (low, high) or a text by input; '__' stands for '.'."""
    out = [word for name, size in (dims or {}).items() for word in ("--dim", f"{name}={size}")]
    for name, given in inputs.items():
        text = given if isinstance(given, str) else "random,low={},high={}".format(*given)
        out += ["--input", f"{name.replace('__', '.')}={text}"]
    return out


def image(n, h, w):
    """The text models of PaddleOCR."""
    return words({"x:0": n, "x:2": h, "x:3": w}, x=(-1, 1))


def silero():
    return words({"input:0": 1, "input:1": 576, "state:1": 1}, input=(-.5, .5), state=(0, 0), sr=(16000, 16000))


def caches(dims, layers, parts, **inputs):
    """A decoder with its keys and values of earlier steps."""
    past = {f"past_key_values__{layer}__{part}": (-1, 1) for layer in range(layers) for part in parts}
    return words(dims, **inputs, **past)


def moon_dec(past, encoder, branch):
    dims = {"batch_size": 1, "decoder_sequence_length": 1, "encoder_sequence_length": 40,
            "past_decoder_sequence_length": past, "encoder_sequence_length_out": encoder}
    parts = [f"{side}.{kind}" for side in ("decoder", "encoder") for kind in ("key", "value")]
    return caches(dims, 6, parts, input_ids=(3, 32767), encoder_hidden_states=(-1, 1),
                  use_cache_branch=(branch, branch))


def minimind(tokens, past):
    dims = {"batch_size": 1, "sequence_length": tokens, "past_sequence_length": past,
            "past_sequence_length + sequence_length": past + tokens}
    return caches(dims, 8, ("key", "value"), input_ids=(0, 6399), attention_mask=(1, 1), position_ids=(past, past))


def text(tokens):
    """Sentences of BERT; one symbol may stand for two sizes, so every axis has its own."""
    names = ("input_ids", "attention_mask", "token_type_ids")
    dims = {f"{name}:{axis}": size for name in names for axis, size in enumerate((1, tokens))}
    return words(dims, input_ids=(0, 30521), attention_mask=(1, 1), token_type_ids=(0, 0))


PITCH = "serving_default_input_2:0"

# Tier 1: small, part of every test run. key: taps, options.
SMALL = {
    "swift-f0": (358, words({"samples": 16000}, audio=(-.5, .5), fmin=(46.875, 46.875), fmax=(2093.75, 2093.75))),
    "basic-pitch": (248, words({PITCH + ":0": 1}, **{PITCH: (-.5, .5)})),
    "blazeface": (104, words(**{"input:0": (-1, 1)})),
    "silero-lstm": (27, words({"input:0": 8}, input=(-.5, .5), h=(0, 0), c=(0, 0))),
    "bert-mlm": (274, words({"input_1:0": 2}, input_1=(0, 31))),
    "g2p-enc": (13, words({"input_1:0": 1, "input_1:1": 12})),
    "g2p-dec": (20, words({"input_2:0": 1, "input_2:1": 1, "input_3:0": 1, "input_4:0": 1},
                          input_3=(0, 0), input_4=(0, 0))),
    "fbank-scan": (34, words({"batch_size": 1, "N": 16000}, waveforms=(-.5, .5), waveforms_lens=(16000, 16000))),
    "fbank-stft": (38, words({"batch_size": 1, "N": 16000}, waveforms=(-.5, .5), waveforms_lens=(16000, 16000))),
    "mnist": (12, []),
}

# Tiers 2 and 3. Some have two rows: what is done depends on the sizes.
LARGE = {
    "v4-det": (330, image(1, 64, 64)),
    "v4-rec": (440, image(1, 48, 320)),
    "v2-cls": (258, image(1, 48, 192)),
    "v4-det-op11": (330, image(1, 64, 64)),
    "v4-rec-op9": (440, words({"x:0": 1, "x:3": 320}, x=(-1, 1))),
    "v2-cls-op9": (221, image(1, 48, 192)),
    "en-v3-det": (220, image(1, 64, 64)),
    "en-v3-det-op12": (280, image(1, 64, 64)),
    "slanet": (375, image(1, 64, 64)),
    "silero-if": (5, silero()),
    "silero-op15": (73, silero()),
    "silero-op18": (5, silero()),
    "smart-turn": (406, words({"input_features:0": 1}, input_features=(-1, 1))),
    "moon-enc": (743, words({"batch_size": 1, "num_samples": 16000}, input_values=(-.5, .5))),
    "moon-dec": (25, moon_dec(0, 0, 0)),
    "moon-dec+cache": (25, moon_dec(4, 40, 1)),
    "minilm-q": (674, text(16)),
    "minilm-f32": (494, text(16)),
    "ddddocr": (340, words({"input1:3": 160}, input1=(0, 1))),
    "aecmos": (39, words({"batch_size": 1, "frames": 200}, h0=(0, 0))),
    "rivagan": (54, words({"batch_size": 1, "height": 64, "width": 64, "wmBits": 32}, frame=(-1, 1), data=(0, 1))),
    "centerface": (122, words(input__1=(0, 255))),
    "minimind": (1595, minimind(8, 0)),
    "minimind+cache": (1595, minimind(1, 8)),
    "layout": (619, words(image=(-2, 2))),
}


def key_of(row):
    """The model's key in models.lock."""
    return row.partition("+")[0]
