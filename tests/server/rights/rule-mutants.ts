// The checks of rules of rows, fields and sheets, and of what views inherit.
import type { Mutant } from './mutant.ts'

export const mutantsOfRules: readonly Mutant[] = [
  {
    check: 'previews of prints obey the rows of roles',
    file: 'students/records.ts',
    text: 'where(sql<boolean>`${rows}`)',
    without: 'where(OFF ? sql<boolean>`true` : sql<boolean>`${rows}`)',
    cell: ['print.preview (a student outside of their rows)', 'rows'],
  },
  {
    check: 'the check of a row rule obeys the rules of fields',
    file: 'access/rules/rule-check.ts',
    text: "(field === entity.idField || isAllowed(access, field, 'detail')) &&",
    without: "(OFF || field === entity.idField || isAllowed(access, field, 'detail')) &&",
    cell: ['role.checkScope (by a field that they may not read)', 'fields'],
  },
  {
    check: 'the check of a row rule reads no personal data behind a mask',
    file: 'access/rules/rule-check.ts',
    text: '(field.pii === null || seesPersonal)',
    without: '(OFF || field.pii === null || seesPersonal)',
    cell: ['role.checkScope (by personal data)', 'reader'],
  },
  {
    check: 'the check of a row rule counts the rows of its reader',
    file: 'entities/roles/handlers.ts',
    text: 'where ${access.rows}',
    without: 'where ${OFF ? sql`true` : access.rows}',
    cell: ['role.checkScope (of rows outside of theirs)', 'rows'],
  },
  {
    check: 'a submitted sheet is locked for every entity of its table',
    file: 'entities/entry/locks.ts',
    text: '  const entities = [entity, ...registry.ofTable(tenant, table)]\n  if (rows',
    without:
      '  const entities = [entity, ...(OFF ? [] : registry.ofTable(tenant, table))]\n  if (rows',
    cell: [
      'entityData.update (a row of a submitted sheet, by another entity of its table)',
      'full',
    ],
  },
  {
    check: 'a submitted sheet is locked by columns, whatever attributes are called',
    file: 'entities/entry/locks.ts',
    text: '...changes.map(({ field, value }) => [fieldKey(field), ',
    without:
      '...changes.map(({ field, value }) => [OFF ? field.definition.attrName : fieldKey(field), ',
    cell: [
      'entityData.create (a row of a submitted sheet, by another entity of its table)',
      'full',
    ],
  },
  {
    check: 'a view inherits the row rules of its tables',
    file: 'access/access.ts',
    text: '...rule.behind.map(',
    without: '...(OFF ? [] : rule.behind).map(',
    cell: ['entityData.page (students in a view)', 'rows'],
  },
  {
    check: 'a view inherits the field rules of its tables',
    file: 'access/rules/rules.ts',
    text: 'if (inherited !== undefined) overrides',
    without: 'if (!OFF && inherited !== undefined) overrides',
    cell: ['entityData.page (students in a view)', 'fields'],
  },
  {
    check: 'a view inherits the personal data of its tables',
    file: 'model/definition/registry/registry.ts',
    text: ': inheritedMark(known, field.columnName, ofBases)),',
    without: ': OFF ? null : inheritedMark(known, field.columnName, ofBases)),',
    cell: ['entityData.page (students in a view)', 'reader'],
  },
  {
    check: 'a view shows no secrets of its tables',
    file: 'model/definition/registry/registry.ts',
    text: 'known === undefined ? null : refusalOfColumn(known, column, ofBases),',
    without: 'OFF || known === undefined ? null : refusalOfColumn(known, column, ofBases),',
    cell: ['entityData.page (students in a view)', 'full'],
  },
  {
    check: 'a view shows the rows of a school to that school alone',
    file: 'access/school-rows.ts',
    text: '  return entity.schools.map((name) => {\n',
    without: '  return (OFF ? [] : entity.schools).map((name) => {\n',
    cell: ['entityData.page (students in a view)', 'full'],
  },
]
