"""Pictures for the page: true-colour PNG files rewritten with a palette, at a quarter of their size."""
import struct
import zlib


def unfiltered(data, width, height, channels):
    """The pixels of a PNG's image data, filters undone (PNG specification, section 9)."""
    stride = width * channels
    above = bytearray(stride)
    at = 0
    for _ in range(height):
        kind, line = data[at], bytearray(data[at + 1:at + 1 + stride])
        at += 1 + stride
        for i in range(stride):
            left = line[i - channels] if i >= channels else 0
            corner = above[i - channels] if i >= channels else 0
            if kind == 1:
                line[i] = (line[i] + left) & 255
            elif kind == 2:
                line[i] = (line[i] + above[i]) & 255
            elif kind == 3:
                line[i] = (line[i] + (left + above[i]) // 2) & 255
            elif kind == 4:
                estimate = left + above[i] - corner
                near = min((abs(estimate - left), 0, left), (abs(estimate - above[i]), 1, above[i]),
                           (abs(estimate - corner), 2, corner))
                line[i] = (line[i] + near[2]) & 255
        yield line
        above = line


def shrink(path):
    """Rewrites a true-colour PNG with a palette of its 256 commonest colours: a quarter of the size."""
    with open(path, "rb") as file:
        content = file.read()
    at, data, head = 8, b"", None
    while at < len(content):
        size, kind = struct.unpack(">I4s", content[at:at + 8])
        if kind == b"IHDR":
            head = struct.unpack(">IIBBBBB", content[at + 8:at + 8 + size])
        elif kind == b"IDAT":
            data += content[at + 8:at + 8 + size]
        at += 12 + size
    width, height, depth, colour = head[:4]
    if depth != 8 or colour not in (2, 6):
        return
    channels = 3 if colour == 2 else 4
    counts, lines = {}, []
    for line in unfiltered(zlib.decompress(data), width, height, channels):
        pixels = [tuple(line[i:i + 3]) for i in range(0, len(line), channels)]
        lines.append(pixels)
        for pixel in pixels:
            counts[pixel] = counts.get(pixel, 0) + 1
    palette = sorted(counts, key=counts.get, reverse=True)[:256]
    index = {colour: i for i, colour in enumerate(palette)}
    for pixel in counts:
        if pixel not in index:
            index[pixel] = min(range(len(palette)),
                               key=lambda i, p=pixel: sum((a - b) ** 2 for a, b in zip(palette[i], p)))
    packed = zlib.compress(b"".join(b"\0" + bytes(index[pixel] for pixel in pixels) for pixels in lines), 9)

    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    with open(path, "wb") as file:
        file.write(content[:8] + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)) +
                   chunk(b"PLTE", b"".join(bytes(colour) for colour in palette)) + chunk(b"IDAT", packed) +
                   chunk(b"IEND", b""))
