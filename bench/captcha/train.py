"""Trains a small convolutional network on the pictures of draw.ts and counts what it reads of 300 others.

python3 bench/captcha/train.py FILE [MINUTES]
"""
import os
import sys
import time

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

WIDTH, HEIGHT, PLACES, LETTERS, TESTS, BATCH = 75, 26, 4, 30, 300, 32
rng = np.random.default_rng(7)


def read(path):
    rows = np.fromfile(path, np.uint8).reshape(-1, PLACES + WIDTH * HEIGHT)
    pictures = (rows[:, PLACES:].astype(np.float32) - 128) / 64
    return pictures.reshape(-1, HEIGHT, WIDTH, 1), rows[:, :PLACES].astype(int)


class Weights:
    """Values with their gradient and what Adam keeps of it."""

    def __init__(self, shape, scale):
        self.value = (rng.standard_normal(shape) * scale).astype(np.float32)
        self.gradient = np.zeros_like(self.value)
        self.mean = np.zeros_like(self.value)
        self.square = np.zeros_like(self.value)

    def step(self, rate, t):
        self.mean += 0.1 * (self.gradient - self.mean)
        self.square += 0.001 * (self.gradient**2 - self.square)
        scaled = rate * np.sqrt(1 - 0.999**t) / (1 - 0.9**t)
        self.value -= scaled * self.mean / (np.sqrt(self.square) + 1e-8)


class Convolution:
    def __init__(self, size, before, after):
        self.size = size
        self.weights = Weights((size * size * before, after), np.sqrt(2 / (size * size * before)))
        self.bias = Weights((after,), 0)
        self.parts = [self.weights, self.bias]

    def forward(self, x):
        half = self.size // 2
        self.shape = x.shape
        padded = np.pad(x, ((0, 0), (half, half), (half, half), (0, 0)))
        windows = sliding_window_view(padded, (self.size, self.size), (1, 2))
        # n, y, x, channel, dy, dx
        self.columns = windows.reshape(*x.shape[:3], -1)
        return self.columns @ self.weights.value + self.bias.value

    def backward(self, slope):
        n, height, width, before = self.shape
        flat = slope.reshape(-1, slope.shape[-1])
        self.weights.gradient = self.columns.reshape(len(flat), -1).T @ flat
        self.bias.gradient = flat.sum(0)
        if before == 1:
            return None
        half = self.size // 2
        columns = (flat @ self.weights.value.T).reshape(n, height, width, before, self.size, self.size)
        back = np.zeros((n, height + 2 * half, width + 2 * half, before), np.float32)
        for dy in range(self.size):
            for dx in range(self.size):
                back[:, dy : dy + height, dx : dx + width] += columns[..., dy, dx]
        return back[:, half : half + height, half : half + width]


class Pool:
    """The largest of four neighbours, or zero."""

    parts = []

    def forward(self, x):
        n, height, width, channels = x.shape
        self.shape = x.shape
        cut = x[:, : height // 2 * 2, : width // 2 * 2]
        blocks = cut.reshape(n, height // 2, 2, width // 2, 2, channels)
        best = blocks.max((2, 4))
        self.chosen = (blocks == best[:, :, None, :, None]) & (blocks > 0)
        return np.maximum(best, 0)

    def backward(self, slope):
        n, height, width, channels = self.shape
        back = np.zeros(self.shape, np.float32)
        spread = self.chosen * slope[:, :, None, :, None]
        back[:, : height // 2 * 2, : width // 2 * 2] = spread.reshape(
            n, height // 2 * 2, width // 2 * 2, channels
        )
        return back


class Dense:
    def __init__(self, before, after, drop=0.0):
        self.weights = Weights((before, after), np.sqrt(2 / before))
        self.bias = Weights((after,), 0)
        self.parts = [self.weights, self.bias]
        self.drop = drop

    def forward(self, x, training=False):
        self.shape = x.shape
        x = x.reshape(len(x), -1)
        if training and self.drop:
            self.kept = (rng.random(x.shape) >= self.drop).astype(np.float32) / (1 - self.drop)
            x = x * self.kept
        self.last = x
        return x @ self.weights.value + self.bias.value

    def backward(self, slope):
        self.weights.gradient = self.last.T @ slope
        self.bias.gradient = slope.sum(0)
        back = slope @ self.weights.value.T
        if self.drop:
            back *= self.kept
        return back.reshape(self.shape)


class Relu:
    parts = []

    def forward(self, x):
        self.on = x > 0
        return x * self.on

    def backward(self, slope):
        return slope * self.on


LAYERS = [
    Convolution(5, 1, 16),
    Pool(),
    Convolution(3, 16, 32),
    Pool(),
    Convolution(3, 32, 64),
    Relu(),
    Dense(HEIGHT // 4 * (WIDTH // 4) * 64, 256, 0.3),
    Relu(),
    Dense(256, PLACES * LETTERS),
]


def forward(x, training):
    for layer in LAYERS:
        x = layer.forward(x, training) if isinstance(layer, Dense) else layer.forward(x)
    return x.reshape(-1, PLACES, LETTERS)


def train(pictures, answers, rate, t):
    scores = forward(pictures, True)
    odds = np.exp(scores - scores.max(-1, keepdims=True))
    odds /= odds.sum(-1, keepdims=True)
    rows = np.arange(len(answers))[:, None], np.arange(PLACES)[None], answers
    loss = -np.log(odds[rows] + 1e-9).mean()
    odds[rows] -= 1
    slope = (odds / len(answers)).reshape(len(answers), -1).astype(np.float32)
    for layer in reversed(LAYERS):
        slope = layer.backward(slope)
    for layer in LAYERS:
        for part in layer.parts:
            part.step(rate, t)
    return loss


def score(pictures, answers):
    read_as = np.concatenate([forward(part, False).argmax(-1) for part in np.array_split(pictures, 10)])
    right = read_as == answers
    return f"{right.all(1).sum()} of {len(answers)} pictures, {right.mean():.1%} of letters"


def main():
    pictures, answers = read(sys.argv[1])
    seconds = 60 * float(sys.argv[2] if len(sys.argv) > 2 else 5)
    tests, pictures = pictures[:TESTS], pictures[TESTS:]
    test_answers, answers = answers[:TESTS], answers[TESTS:]
    count = sum(part.value.size for layer in LAYERS for part in layer.parts)
    print(f"{count} weights, {len(pictures)} pictures")
    # Of the processor, so that other work on the machine does not count.
    began, said, t, losses = time.process_time(), 0, 0, []
    while (spent := time.process_time() - began) < seconds:
        t += 1
        chosen = rng.integers(0, len(pictures), BATCH)
        shifted = np.roll(pictures[chosen], rng.integers(-2, 3), 2)
        losses.append(train(shifted, answers[chosen], 0.0015 * (1 - spent / seconds) + 0.00005, t))
        if spent // 60 > said:
            said = spent // 60
            print(f"{said:.0f} min, {t * BATCH} seen, loss {np.mean(losses):.2f}: {score(tests, test_answers)}", flush=True)
            losses = []
    print(f"{t * BATCH} seen: {score(tests, test_answers)}; of the trained {score(pictures[:TESTS], answers[:TESTS])}")


main()
