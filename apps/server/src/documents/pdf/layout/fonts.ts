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
  return [loadPackaged(main), loadPackaged(spare)]
}

/** A font file of the installation (DOCUMENT_FONTS); read once per process. */
export function loadFont(path: string): Buffer {
  return loadFontFile(path, () => readFileSync(path))
}

function loadPackaged(file: string): Buffer {
  const path = new URL(`../../../../assets/fonts/${file}`, import.meta.url)
  return loadFontFile(file, () => brotliDecompressSync(readFileSync(path)))
}

function loadFontFile(name: string, read: () => Buffer): Buffer {
  const bytes = loaded.get(name) ?? read()
  loaded.set(name, bytes)
  return bytes
}

export const faces = Object.keys(files) as readonly Face[]
