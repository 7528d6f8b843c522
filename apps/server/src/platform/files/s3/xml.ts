import { SaxesParser } from 'saxes'

/** The text of each named element; of several with one name, the last. */
export function textsIn(xml: string, names: readonly string[]): Partial<Record<string, string>> {
  const texts: Partial<Record<string, string>> = {}
  eachText(xml, names, (name, text) => {
    texts[name] = text
  })
  return texts
}

/** Visits the named elements in document order. Stops at malformed XML and at a document type. */
function eachText(
  xml: string,
  names: readonly string[],
  visit: (name: string, text: string) => void,
): void {
  const parser = new SaxesParser<{ xmlns: false; position: false }>({
    xmlns: false,
    position: false,
  })
  let text = ''
  parser.on('doctype', () => {
    throw new Error('a document type')
  })
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', () => {
    text = ''
  })
  parser.on('text', (piece) => {
    text += piece
  })
  parser.on('closetag', ({ name }) => {
    if (names.includes(name)) visit(name, text)
    text = ''
  })
  try {
    parser.write(xml).close()
  } catch {
    return
  }
}

export interface Listing {
  readonly objects: readonly { readonly key: string; readonly modified: Date }[]
  readonly next: string | null
}

/** Parses a reply of ListObjectsV2. */
export function parseListing(xml: string): Listing {
  const objects: { key: string; modified: Date }[] = []
  let [key, modified, next]: [string, string, string | null] = ['', '', null]
  eachText(xml, ['Key', 'LastModified', 'Contents', 'NextContinuationToken'], (name, text) => {
    if (name === 'Key') key = text
    else if (name === 'LastModified') modified = text
    else if (name === 'Contents') objects.push({ key, modified: new Date(modified) })
    else next = text
  })
  return { objects, next }
}
