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

/** Decodes a part from UTF-8 or, with a BOM, UTF-16. */
export async function* textOf(stream: Readable): AsyncGenerator<string> {
  let decode: ((bytes: Buffer) => string) | undefined
  for await (const piece of stream) {
    const bytes = piece as Buffer
    if (decode === undefined) {
      const decoder = new TextDecoder(encodingOf(bytes))
      decode = (more) => decoder.decode(more, { stream: true })
    }
    yield decode(bytes)
  }
}

function encodingOf(bytes: Buffer): string {
  return bytes[0] === 0xff && bytes[1] === 0xfe
    ? 'utf-16le'
    : bytes[0] === 0xfe && bytes[1] === 0xff
      ? 'utf-16be'
      : 'utf-8'
}

/** Parses a whole part. */
export async function readXml(stream: Readable, listener: XmlListener): Promise<void> {
  const parser = xmlParser(listener)
  for await (const text of textOf(stream)) parser.write(text)
  parser.end()
}
