"""ONNX models made ready for compilers that import them through the Python package onnx."""
import os
import tempfile


def with_outputs(path, names, inputs):
    """The model with these tensors as its only outputs and the inputs' shapes fixed."""
    import onnx
    model = onnx.load(path)
    del model.graph.output[:]
    for name in names:
        model.graph.output.add().name = name
    for entry in model.graph.input:
        if entry.name in inputs:
            shape = entry.type.tensor_type.shape
            del shape.dim[:]
            for size in inputs[entry.name].shape:
                shape.dim.add().dim_value = size
    return model


# Of ONNX Runtime's basic level; they would hide operators that the model has.
FUSIONS = ["ConvAddFusion", "ConvMulFusion", "ConvBNFusion", "PadFusion", "MatMulBNFusion", "MatMulAddFusion",
           "MatMulScaleFusion", "GemmActivationFusion", "GemmSumFusion", "GemmTransposeFusion",
           "FuseReluClip", "ReshapeFusion", "UnsqueezeElimination", "GeluFusion", "LayerNormFusion"]


def folded(model):
    """Sub-graphs that only compute shapes become constants, now that the inputs' shapes are fixed.
    ONNX Runtime does that where it is installed; without it the model stays as it is.
    """
    try:
        import onnxruntime
    except ImportError:
        return model
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
    with tempfile.TemporaryDirectory() as folder:
        options.optimized_model_filepath = os.path.join(folder, "folded.onnx")
        onnxruntime.InferenceSession(model.SerializeToString(), options,
                                     providers=["CPUExecutionProvider"], disabled_optimizers=FUSIONS)
        import onnx
        return onnx.load(options.optimized_model_filepath)
