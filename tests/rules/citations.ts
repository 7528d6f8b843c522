/** A citation such as `docs/rules/security.md#i3` or `docs/spec/1-entity-console.md §9`. */
export interface Citation {
  readonly page: string
  /** Anchor without `#`, or a section number such as `9`; empty when only the page is named. */
  readonly anchor: string
  readonly line: number
}

const pattern =
  /\b(docs\/[a-z0-9/-]+\.md)((?:#[a-z0-9-]+)(?:(?:, | to | and )#[a-z0-9-]+)*| §\d+)?/gi

/**
 * Every citation of a page under `docs`. A list (`#i1, #i2`) or a range (`#i1 to #i6`) gives one
 * citation per named anchor.
 */
export function listCitations(text: string): Citation[] {
  return text.split('\n').flatMap((content, index) =>
    [...content.matchAll(pattern)].flatMap(([, page = '', rest = '']) => {
      const anchors = rest.startsWith(' §')
        ? [rest.slice(2)]
        : [...rest.matchAll(/#([a-z0-9-]+)/gi)].map(([, anchor = '']) => anchor)
      return (anchors.length > 0 ? anchors : ['']).map((anchor) => ({
        page,
        anchor,
        line: index + 1,
      }))
    }),
  )
}

/** The anchors of a page's headings, as GitHub makes them, and the numbers of numbered sections. */
export function listAnchors(markdown: string): ReadonlySet<string> {
  return new Set(
    [...markdown.matchAll(/^#{1,6} +(.+)$/gm)].flatMap(([, heading = '']) => {
      const number = /^(\d+)\./.exec(heading)?.[1]
      return [toSlug(heading), ...(number === undefined ? [] : [number])]
    }),
  )
}

function toSlug(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
}

/** Relative links of a page, without those to other sites. */
export function listLinks(
  markdown: string,
): { readonly target: string; readonly anchor: string }[] {
  return [...markdown.matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].map(
    ([, target = '', anchor = '']) => ({ target, anchor }),
  )
}
