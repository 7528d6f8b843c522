import { readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'

/**
 * Font files by their use, the Chinese face and the one for letters that it lacks.
 * `apps/server/assets/fonts/README.md` names their sources; only used glyphs are embedded.
 */
const files = {
  body: ['NotoSerifSC_400Regular.ttf.br', 'NotoSerif_400Regular.ttf.br'],
  strong: ['NotoSerifSC_600SemiBold.ttf.br', 'NotoSerif_600SemiBold.ttf.br'],
  title: ['NotoSerifSC_700Bold.ttf.br', 'NotoSerif_700Bold.ttf.br'],
  label: ['NotoSansSC_400Regular.ttf.br', 'NotoSans_400Regular.ttf.br'],
} as const
export type Face = keyof typeof files

const loaded = new Map<string, Buffer>()

/** The two files of a face; each is read once per process. */
export function loadFace(face: Face): readonly [main: Buffer, spare: Buffer] {
  const [main, spare] = files[face]
  return [load(main), load(spare)]
}

function load(file: string): Buffer {
  const bytes =
    loaded.get(file) ??
    brotliDecompressSync(readFileSync(new URL(`../../../../assets/fonts/${file}`, import.meta.url)))
  loaded.set(file, bytes)
  return bytes
}

export const faces = Object.keys(files) as readonly Face[]
