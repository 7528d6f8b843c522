import type { Job, RememberedImport, SheetColumnInfo } from '@jiaowu/api/contract/job'
import { limits } from '@jiaowu/api/limits'
import { describe, expect, test } from 'vitest'
import {
  assign,
  listAssignments,
  checkAgain,
  existingIn,
  findExistingMode,
  resolveImportChoices,
  fileFault,
  firstVerdict,
  findImportFormat,
  goOn,
  isForReview,
  isRunnable,
  buildWriteRequest,
} from './choices.ts'

function buildSheetColumn(
  number: number,
  attrName: string | null,
  by: SheetColumnInfo['by'] = 'label',
): SheetColumnInfo {
  return {
    column: number,
    letter: 'A',
    header: `h${number}`,
    attrName,
    by,
    empty: 'keep',
    samples: [],
  }
}
function job(more: Partial<Job>): Job {
  return {
    id: 'j',
    kind: 'import',
    tag: 'A',
    entityName: '甲',
    status: 'paused',
    phase: 'review',
    total: 3,
    done: 3,
    inserted: 0,
    updated: 0,
    skipped: 0,
    failed: 0,
    errors: [],
    message: null,
    review: { fresh: 1, changed: 0, same: 0, wrong: 0 },
    fileName: 'a.xlsx',
    format: 'xlsx',
    mode: 'insert',
    key: null,
    onError: 'abort',
    dryRun: false,
    empty: 'keep',
    needsConfirm: false,
    sheet: {
      name: 's',
      headerRow: 1,
      otherSheets: [],
      columns: [
        buildSheetColumn(1, 'no'),
        buildSheetColumn(2, null),
        buildSheetColumn(3, null, 'own'),
      ],
      fields: [],
      notes: [],
    },
    can: { resume: true, cancel: true, result: true },
    createTime: '',
    startTime: null,
    endTime: null,
    ...more,
  }
}
const remembered: RememberedImport = {
  mode: 'upsert',
  key: 'no',
  onError: 'skip',
  empty: 'clear',
  columns: [],
}

describe('what applies', () => {
  test('the person over the caller, the caller over the last time, the last time over what is usual', () => {
    expect(resolveImportChoices(['insert', 'update', 'upsert'], null)).toEqual({
      mode: 'insert',
      key: null,
      onError: 'abort',
      empty: 'keep',
      dryRun: false,
    })
    expect(
      resolveImportChoices(
        ['insert', 'update', 'upsert'],
        remembered,
        { onError: 'abort' },
        { key: 'name' },
      ),
    ).toEqual({ mode: 'upsert', key: 'name', onError: 'abort', empty: 'clear', dryRun: false })
  })
  test('never take a mode that is not allowed, from file, memory or user', () => {
    expect(resolveImportChoices(['update'], remembered).mode).toBe('update')
    expect(resolveImportChoices(['insert'], null, { mode: 'upsert' }).mode).toBe('insert')
  })
})

describe('a file before it is sent', () => {
  const file = (name: string, size = 10) => ({ key: name, name, size })
  test.each([
    ['a.XLSX', 'xlsx'],
    ['b.csv', 'csv'],
    ['c.d.ndjson', 'ndjson'],
    ['xlsx', null],
    ['a.xlsx.exe', null],
  ])('%s is %s', (name, format) => {
    expect(findImportFormat(name)).toBe(format)
  })
  test.each([
    ['a.csv', 0, 'transfer.emptyFile'],
    ['a.csv', limits.importBytes + 1, 'transfer.tooLarge'],
  ])('%s of %d bytes: %s', (name, size, key) => {
    expect(fileFault(file(name, size))?.key).toBe(key)
  })
  test('the largest that may be', () => {
    expect(fileFault(file('a.csv', limits.importBytes))).toBeNull()
  })
})

describe('columns', () => {
  test('columns added by the product cannot be assigned', () => {
    expect(listAssignments(job({})).map((each) => each.column)).toEqual([1, 2])
  })
  test('a field goes to the last column that asks for it', () => {
    const all = assign(listAssignments(job({})), { column: 2, attrName: 'no', empty: 'keep' })
    expect(all.map(({ attrName }) => attrName)).toEqual([null, 'no'])
    expect(
      assign(all, { column: 1, attrName: null, empty: 'keep' }).map(({ attrName }) => attrName),
    ).toEqual([null, 'no'])
  })
})

describe('what may come next', () => {
  test.each<[Partial<Job>, boolean, boolean]>([
    [{}, true, true],
    [{ review: { fresh: 0, changed: 0, same: 3, wrong: 0 } }, true, false],
    [{ review: { fresh: 1, changed: 0, same: 0, wrong: 1 } }, true, false],
    [{ review: { fresh: 1, changed: 0, same: 0, wrong: 1 }, onError: 'skip' }, true, true],
    [{ phase: 'mapping' }, true, false],
    [{ phase: 'writing' }, false, false],
    [{ status: 'done', phase: 'finished', dryRun: true }, true, true],
    [{ status: 'done', phase: 'finished' }, false, false],
    [{ status: 'running', phase: 'checking' }, false, false],
  ])('%o: to look at %s, to write %s', (more, looks, writes) => {
    expect([isForReview(job(more)), isRunnable(job(more))]).toEqual([looks, writes])
  })
  test('faults are looked at first, then changes', () => {
    expect(
      [
        { wrong: 1, changed: 1, fresh: 1, same: 1 },
        { wrong: 0, changed: 1, fresh: 1, same: 1 },
        { wrong: 0, changed: 0, fresh: 1, same: 1 },
        { wrong: 0, changed: 0, fresh: 0, same: 1 },
      ].map(firstVerdict),
    ).toEqual(['wrong', 'changed', 'fresh', 'same'])
  })
  test('once rows are written nothing is chosen any more; before that a stop leads to the review', () => {
    expect(goOn(job({ phase: 'writing' }))).toEqual({
      id: 'j',
      choices: {},
      mapping: null,
      fixed: null,
      mend: null,
      reading: null,
      pauseAt: null,
      confirm: false,
    })
    expect(goOn(job({ phase: 'checking' })).pauseAt).toBe('review')
  })
  test('a check that only looked says that it is meant now', () => {
    expect(buildWriteRequest(job({ dryRun: true }), false)).toEqual({
      id: 'j',
      choices: { dryRun: false },
      mapping: null,
      fixed: null,
      mend: null,
      reading: null,
      pauseAt: 'none',
      confirm: false,
    })
    expect(buildWriteRequest(job({}), true)).toEqual({
      id: 'j',
      choices: {},
      mapping: null,
      fixed: null,
      mend: null,
      reading: null,
      pauseAt: 'none',
      confirm: true,
    })
    expect(checkAgain(job({}), { mode: 'update' }, listAssignments(job({})))).toMatchObject({
      choices: { mode: 'update' },
      pauseAt: 'review',
      mapping: [
        { column: 1, attrName: 'no', empty: 'keep' },
        { column: 2, attrName: null, empty: 'keep' },
      ],
    })
  })
})

describe('rows that should be new and exist', () => {
  const fields = [
    { attrName: 'no', label: '学号', required: true, unique: true },
    { attrName: 'name', label: '姓名', required: true, unique: false },
  ]
  const error = (rule: string, attrName: string, row = 2) => ({
    row,
    column: attrName,
    attrName,
    value: 'x',
    rule,
    msg: '',
  })
  const job = (errors: readonly ReturnType<typeof error>[], fresh = 0, mode = 'insert') =>
    ({
      mode,
      errors,
      review: { fresh, changed: 0, same: 0, wrong: errors.length },
    }) as unknown as Job
  test.each([
    ['all of them are only changed', job([error('unique', 'no'), error('unique', 'no')]), 'update'],
    [
      'such rows may lack what only new ones need',
      job([error('unique', 'no'), error('required', 'name')]),
      'update',
    ],
    ['others are added beside', job([error('unique', 'no')], 3), 'upsert'],
    [
      'others are wrong otherwise',
      job([error('unique', 'no'), error('required', 'name', 3)]),
      'upsert',
    ],
  ])('%s', (_what, found, mode) =>
    expect(existingIn(found, fields)).toEqual({
      field: '学号',
      choices: { mode, key: 'no' },
      isFound: true,
    }),
  )
  test.each([
    ['another mode', job([error('unique', 'no')], 0, 'upsert'), undefined],
    ['other faults', job([error('required', 'no')]), undefined],
    ['a field that tells no record', job([error('unique', 'name')]), undefined],
    ['no right to change records', job([error('unique', 'no')]), ['insert'] as const],
  ])('are no matter of %s', (_what, found, modes) =>
    expect(existingIn(found, fields, modes)).toBeNull(),
  )
  test('may be changed where a key is there and columns of new records are not', () => {
    const mapping = { mode: 'insert', phase: 'mapping' } as const
    const change = { field: '学号', choices: { mode: 'update', key: 'no' }, isFound: false }
    expect(findExistingMode(mapping, fields, ['no', null])).toEqual(change)
    expect(findExistingMode(mapping, fields, ['no', 'name'])).toBeNull()
    expect(findExistingMode(mapping, fields, ['name'])).toBeNull()
    expect(findExistingMode({ ...mapping, phase: 'review' }, fields, ['no'])).toBeNull()
    expect(findExistingMode({ ...mapping, mode: 'update' }, fields, ['no'])).toBeNull()
    expect(findExistingMode(mapping, fields, ['no'], ['insert'])).toBeNull()
  })
})
