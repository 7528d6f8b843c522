import sanitizeHtml from 'sanitize-html'

/** What rich text may hold (docs/rules/security.md#i8): no style, svg, math, iframe, no handlers; links and pictures only where they can do no harm. */
const options: sanitizeHtml.IOptions = {
  allowedTags: [
    'p',
    'br',
    'hr',
    'h1',
    'h2',
    'h3',
    'h4',
    'h5',
    'h6',
    'strong',
    'b',
    'em',
    'i',
    'u',
    's',
    'del',
    'sub',
    'sup',
    'mark',
    'blockquote',
    'pre',
    'code',
    'ul',
    'ol',
    'li',
    'a',
    'img',
    'table',
    'thead',
    'tbody',
    'tr',
    'th',
    'td',
    'span',
    'div',
  ],
  allowedAttributes: {
    a: ['href', 'title', 'target', 'rel'],
    img: ['src', 'alt', 'title', 'width', 'height'],
    th: ['colspan', 'rowspan'],
    td: ['colspan', 'rowspan'],
    ol: ['start'],
  },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowedSchemesByTag: { img: ['http', 'https', 'data'] },
  allowProtocolRelative: false,
  disallowedTagsMode: 'discard',
  // data: is for pictures only, and svg is a program rather than a picture (docs/rules/security.md#i6)
  exclusiveFilter: ({ tag, attribs }) =>
    tag === 'img' &&
    /^\s*data:/i.test(attribs.src ?? '') &&
    !/^data:image\/(png|jpeg|webp|gif);base64,[A-Za-z0-9+/=]+$/.test(attribs.src ?? ''),
  transformTags: {
    a: (tagName, attribs) => ({
      tagName,
      attribs: {
        ...attribs,
        ...(attribs.target === undefined ? {} : { target: '_blank', rel: 'noopener noreferrer' }),
      },
    }),
  },
}

/** Stored rich text: whatever was sent, only this list of tags and attributes is kept. */
export const cleanHtml = (html: string): string => sanitizeHtml(html, options)
