"""Every metric of Assay in plain float64 NumPy: the other side of the test."""
import numpy as np


def reals(a):
    """Complex tensors count as pairs of reals."""
    a = np.ascontiguousarray(a)
    return a.view(a.real.dtype).ravel() if np.iscomplexobj(a) else a.ravel()


def exact(a):
    return a.astype(object) if a.dtype.kind in "iu" and a.dtype.itemsize == 8 else a


def ratio(a, b, agree=0.0):
    if b == 0:
        return agree if a == 0 else np.inf
    return a / b


def cosine_distance(g, t):
    ng, nt = np.sqrt(np.sum(g * g)), np.sqrt(np.sum(t * t))
    if ng == 0 or nt == 0:
        return 0.0 if ng == nt else 1.0
    if not np.isfinite(ng * nt):
        return np.inf
    return np.sum((g / ng - t / nt) ** 2) / 2


def metrics(golden, target, atol=1e-8, rtol=1e-5):
    """Name -> value; None where a metric is not defined."""
    g0, t0 = reals(golden), reals(target)
    with np.errstate(all="ignore"):
        g, t = g0.astype(np.float64), t0.astype(np.float64)
        used = np.isfinite(g) & np.isfinite(t)
        out = {
            "count": g.size,
            "equal": int(np.sum(exact(g0) == exact(t0))),
            "nan_golden": int(np.isnan(g).sum()), "nan_target": int(np.isnan(t).sum()),
            "inf_golden": int(np.isinf(g).sum()), "inf_target": int(np.isinf(t).sum()),
        }
        whole = g0.dtype.kind in "iub" and t0.dtype.kind in "iub"
        if whole and g0.size:
            d = np.array([abs(int(a) - int(b)) for a, b in zip(t0, g0)], dtype=object)
            out["max_abs"] = max(d)
            d = d.astype(np.float64)
        else:
            d = np.abs(t - g)
        g, t, d = g[used], t[used], d[used]
        n = g.size
        if n == 0:
            return out
        out.setdefault("max_abs", d.max())
        zero = g == 0
        rel = d[~zero] / np.abs(g[~zero])
        out.update({
            "rel_undefined": int(zero.sum()),
            "mean_abs": d.mean(), "rmse": np.sqrt(np.mean(d * d)),
            "rel_l2": ratio(np.sqrt(np.sum(d * d)), np.sqrt(np.sum(g * g))),
            "cosine_distance": cosine_distance(g, t),
            "cosine": 1 - cosine_distance(g, t),
            "allclose": np.mean(d <= atol + rtol * np.abs(g)),
            "norm_ratio": ratio(np.sqrt(np.sum(t * t)), np.sqrt(np.sum(g * g)), 1.0),
        })
        if rel.size:
            out.update({
                "max_rel": rel.max(), "mean_rel": rel.mean(), "accumulated_rel": rel.sum(),
                "mape": 100 * rel.mean(),
                "within_1e3": np.mean(rel <= 1e-3), "within_5e3": np.mean(rel <= 5e-3),
            })
        for side, x in (("golden", g), ("target", t)):
            raw = (g0 if side == "golden" else t0)[used]
            out["min_" + side], out["max_" + side] = raw.min().item(), raw.max().item()
            out["mean_" + side], out["std_" + side] = x.mean(), x.std()
            out["l2_" + side] = np.sqrt(np.sum(x * x))
        if np.sum(d * d) > 0 and np.sum(g * g) > 0:
            out["snr_db"] = 10 * np.log10(np.sum(g * g) / np.sum(d * d))
            out["psnr_db"] = 10 * np.log10(np.abs(g).max() ** 2 / np.mean(d * d))
        return out
