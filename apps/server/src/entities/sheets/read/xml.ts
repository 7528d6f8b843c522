import type { Readable } from 'node:stream'
import { SaxesParser } from 'saxes'
import { FileProblem } from './model.ts'

/** Callbacks for elements and text. Names have no prefix: some programs write `x:row`. */
export interface XmlListener {
  readonly open?: (name: string, attributes: Readonly<Record<string, string>>) => void
  readonly text?: (text: string) => void
  readonly close?: (name: string) => void
}

/**
 * An incremental parser that refuses doctypes, so that no entity is expanded.
 * @throws FileProblem on write
 */
export function xmlParser({ open, text, close }: XmlListener): {
  readonly write: (text: string) => void
  readonly end: () => void
} {
  const parser = new SaxesParser<{ xmlns: false; position: false }>({
    xmlns: false,
    position: false,
  })
  const refuse = (): never => {
    throw new FileProblem({ key: 'transfer.file.broken' })
  }
  parser.on('doctype', () => {
    throw new FileProblem({ key: 'transfer.file.hostile' })
  })
  parser.on('error', refuse)
  if (open !== undefined) parser.on('opentag', (tag) => open(local(tag.name), tag.attributes))
  if (text !== undefined) {
    parser.on('text', text)
    parser.on('cdata', text)
  }
  if (close !== undefined) parser.on('closetag', (tag) => close(local(tag.name)))
  return {
    write: (piece) => {
      parser.write(piece)
    },
    end: () => {
      parser.close()
    },
  }
}

function local(name: string): string {
  const colon = name.indexOf(':')
  return colon === -1 ? name : name.slice(colon + 1)
}

/** Decodes a part: UTF-8, UTF-16, or the encoding that its first line declares. @throws FileProblem */
export async function* decodeXml(stream: Readable): AsyncGenerator<string> {
  let decode: ((bytes: Buffer) => string) | undefined
  for await (const piece of stream) {
    const bytes = piece as Buffer
    if (decode === undefined) {
      const decoder = chooseXmlDecoder(bytes)
      decode = (more) => decoder.decode(more, { stream: true })
    }
    yield decode(bytes)
  }
}

function chooseXmlDecoder(bytes: Buffer) {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le')
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be')
  // Without a mark, the zeros beside the first `<` tell (XML 1.0 appendix F).
  if (first === 0x3c && second === 0) return new TextDecoder('utf-16le')
  if (first === 0 && second === 0x3c) return new TextDecoder('utf-16be')
  const declaration = bytes.subarray(0, 200).toString('latin1')
  const label = /^(?:\u00ef\u00bb\u00bf)?<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]+)["']/.exec(
    declaration,
  )
  const name = label?.[1] ?? 'utf-8'
  try {
    // Bytes that are read one by one are not those of UTF-16, whatever the declaration says.
    return new TextDecoder(/^utf-?16/i.test(name) ? 'utf-8' : name)
  } catch {
    throw new FileProblem({ key: 'transfer.file.broken' })
  }
}

/** Parses a whole part. */
export async function readXml(stream: Readable, listener: XmlListener): Promise<void> {
  const parser = xmlParser(listener)
  for await (const text of decodeXml(stream)) parser.write(text)
  parser.end()
}
