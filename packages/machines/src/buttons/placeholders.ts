import type { DictItem, Row } from '@jiaowu/api/entity/values'

type Encode = (text: string) => string

/**
 * Fills `{attrName}` in a template with values of the row; a choice gives its id, `{attrName.name}`
 * its name.
 * @param encode applied to each value: `encodeURIComponent` for addresses
 */
export function fillPlaceholders(
  template: string,
  row: Row | null,
  encode: Encode = (text) => text,
): string {
  return template.replace(/\{(\w+)(\.name)?\}/g, (_match, attrName: string, name?: string) =>
    encode(formatPlaceholder(row?.[attrName], name === undefined ? 'id' : 'name', ',')),
  )
}

/**
 * Fills `{attrName}` in a sentence for the reader: a choice gives its name, and `{$title}` is the title of
 * the record.
 */
export function fillSentence(template: string, row: Row | null): string {
  return template.replace(/\{(\$?\w+)\}/g, (_match, attrName: string) =>
    formatPlaceholder(row?.[attrName], 'name', '、'),
  )
}

function formatPlaceholder(
  value: unknown,
  part: keyof DictItem & ('id' | 'name'),
  separator: string,
): string {
  return Array.isArray(value)
    ? (value as readonly DictItem[]).map((item) => item[part]).join(separator)
    : String(value ?? '')
}
