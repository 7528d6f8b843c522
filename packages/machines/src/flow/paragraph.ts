// Paragraphs of documents that flows issue: texts with expressions over `row` in braces.
import type { FlowDocument } from '@jiaowu/api/entity/definition/flow'

export type ParagraphPart = string | { readonly source: string }

/** The texts and expressions of a paragraph, in their order; null for a brace without its pair. */
export function splitParagraph(paragraph: string): readonly ParagraphPart[] | null {
  const parts = paragraph
    .split(/(\{[^{}]*\})/)
    .filter((part) => part !== '')
    .map((part): ParagraphPart => {
      return part.startsWith('{') && part.endsWith('}') ? { source: part.slice(1, -1) } : part
    })
  return parts.some((part) => typeof part === 'string' && /[{}]/.test(part)) ? null : parts
}

/** The expressions of the paragraphs of documents. */
export function listParagraphSources(
  documents: Readonly<Record<string, FlowDocument>> | undefined,
): readonly string[] {
  return Object.values(documents ?? {})
    .flatMap(({ paragraphs }) => paragraphs)
    .flatMap((paragraph) => splitParagraph(paragraph) ?? [])
    .flatMap((part) => (typeof part === 'string' ? [] : [part.source]))
}
