import { describe, expect, it } from 'vitest'
import { clean, jsonText } from './terminal-text.ts'

describe('terminal text', () => {
  it('removes control sequences from text of a server', () => {
    expect(clean('\u001b[31mred\u001b[0m')).toBe('red')
    expect(clean('\u001b]0;title\u0007x')).toBe('x')
    expect(clean('\u001b]8;;http://evil\u0007link\u001b]8;;\u0007')).toBe('link')
    expect(clean('a\u009b31mb\u0000c\rd\u202ee')).not.toMatch(/[\u0000\r\u009b\u202e\u001b]/)
    expect(clean('张三\n李四\t王五')).toBe('张三\n李四\t王五')
  })
  it('escapes what a terminal would obey in JSON, which parses to the same value', () => {
    const value = { name: '\u009b31m\u202e\u2066\u200f\u061c\u007f\u001b[0m张三\u2028' }
    const text = jsonText(value)
    expect(text).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u061c\u200f\u2028-\u202e\u2066-\u2069]/)
    expect(text).toContain('\\u009b31m\\u202e')
    expect(text).toContain('张三')
    expect(JSON.parse(text)).toEqual(value)
  })
})
