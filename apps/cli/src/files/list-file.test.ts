import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateRawSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { CommandError } from '../exit.ts'
import { parseList, readList } from './list-file.ts'
import { readXlsxRows } from './xlsx-rows.ts'

/** An archive of these parts, as programs write it. */
function zip(parts: Readonly<Record<string, string>>): Buffer {
  const [bodies, entries]: [Buffer[], Buffer[]] = [[], []]
  let at = 0
  for (const [name, text] of Object.entries(parts)) {
    const [title, data] = [Buffer.from(name), deflateRawSync(text)]
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50)
    local.writeUInt16LE(8, 8)
    local.writeUInt16LE(title.length, 26)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50)
    entry.writeUInt16LE(8, 10)
    entry.writeUInt32LE(data.length, 20)
    entry.writeUInt16LE(title.length, 28)
    entry.writeUInt32LE(at, 42)
    bodies.push(local, title, data)
    entries.push(entry, title)
    at += local.length + title.length + data.length
  }
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50)
  end.writeUInt16LE(Object.keys(parts).length, 10)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...bodies, ...entries, end])
}

function workbook(rows: string, texts = ''): Buffer {
  return zip({
    'xl/workbook.xml':
      '<workbook><sheets><sheet name="A" sheetId="1" r:id="rId7"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels':
      '<Relationships><Relationship Id="rId1" Target="styles.xml"/><Relationship Id="rId7" Target="worksheets/sheet3.xml"/></Relationships>',
    'xl/sharedStrings.xml': `<sst>${texts}</sst>`,
    'xl/worksheets/sheet3.xml': `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
  })
}

describe('a list of a command', () => {
  it('is comma, semicolon or tab separated, with quotes, any line break and empty rows', () => {
    for (const separator of [',', ';', '\t']) {
      const lines = [
        ['TAG', ' Id ', 'note'],
        ['A', '1', '"one, ""two""; three\nlines"'],
        ['', '', ''],
        ['B', '007', ''],
      ]
      const text = lines.map((cells) => cells.join(separator)).join('\r\n')
      expect(parseList(`\ufeff${text}\r\n`)).toEqual([
        { row: 2, cells: { tag: 'A', id: '1', note: 'one, "two"; three\nlines' } },
        { row: 4, cells: { tag: 'B', id: '007', note: '' } },
      ])
    }
  })

  it('is JSON or NDJSON, whose long numbers keep their digits', () => {
    const expected = [
      { row: 1, cells: { tag: 'A', id: '384959592308502528', note: '' } },
      { row: 2, cells: { tag: 'B', id: '2' } },
    ]
    const [one, two] = ['{"TAG":"A","ID":384959592308502528,"note":null}', '{"tag":"B","id":"2"}']
    expect(parseList(`[${one},${two}]`)).toEqual(expected)
    expect(parseList(`${one}\n${two}\n`)).toEqual(expected)
  })

  it('is the first sheet of a workbook: shared and own texts, numbers, gaps', () => {
    const rows =
      '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="inlineStr"><is><t>id</t></is></c><c r="D1" t="str"><v>note</v></c></row>' +
      '<row r="2"><c r="A2" t="s"><v>1</v></c><c r="B2"><v>12</v></c><c r="C2"/><c r="D2" t="s"><v>2</v></c></row>'
    const texts =
      '<si><t>tag</t></si><si><t>A&amp;B</t><rPh sb="0" eb="1"><t>x</t></rPh></si><si><r><t>同</t></r><r><t xml:space="preserve">意 &#x1F44D;</t></r></si>'
    expect(readXlsxRows(workbook(rows, texts))).toEqual([
      ['tag', 'id', '', 'note'],
      ['A&B', '12', '', '同意 👍'],
    ])
  })

  it('names a file that is none of them', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'jiaowu-list-'))
    const file = join(folder, 'a')
    for (const bytes of [
      Buffer.from('PK no archive'),
      '{"tag":',
      'tag,id\n"open',
      zip({ a: '' }),
    ]) {
      await writeFile(file, bytes)
      await expect(readList(file, 'zh-CN')).rejects.toThrow(CommandError)
    }
    await expect(readList(join(folder, 'none'), 'en')).rejects.toThrow(/none/)
    await rm(folder, { recursive: true })
  })
})
