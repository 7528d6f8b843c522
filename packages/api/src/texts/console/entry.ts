import { group } from '../group.ts'

// docs/rules/contract.md#entry-sheets
export const entryTexts = group({
  'entry.title': ['{name}录入', 'Enter {name}'],
  'entry.choose': ['请选择{labels}', 'Choose {labels}'],
  'entry.open': ['录入', 'Enter'],
  'entry.unfinished': ['未录完的录入表', 'To be finished'],
  'entry.unfinishedMore': ['只列出前 {n} 张', 'the first {n} alone'],
  'entry.allDone': ['没有未录完的录入表', 'Nothing waits to be entered'],
  'entry.progress': ['已录 {entered}/{total}', '{entered} of {total} entered'],
  'entry.none': [
    '没有符合的记录，请另选，或先新增、导入',
    'No records match; choose others, or add or import some first',
  ],
  'entry.nothing': [
    '一条都还没有录入，录入后再提交',
    'Nothing is entered yet; submit when something is',
  ],
  'entry.add': ['添加{name}', 'Add {name}'],
  'entry.addHint': [
    '选择{labels}，为其中还不在这张表里的每个{name}各添加一行。',
    'Choose {labels}: a row is added for each {name} that this sheet does not have yet.',
  ],
  'entry.addNeeds': ['请至少选择一项：{labels}', 'Choose at least one of: {labels}'],
  'entry.addNeedsOne': ['请至少选择一项', 'Choose at least one'],
  'entry.added': [
    '已添加 {added} 行，{there} 个已在表中',
    '{added} rows added, {there} were there already',
  ],
  'entry.refused': ['{n} 个没有添加', '{n} were not added'],
  'entry.tooMany': [
    '符合的超过 {n} 个，请缩小范围，例如按班级添加',
    'More than {n} match; narrow it down, to a class for example',
  ],
  'entry.submit': ['提交', 'Submit'],
  'entry.submitTitle': ['提交并锁定', 'Submit and lock'],
  'entry.submitAll': [
    '{total} 条已全部录入。提交后不能再修改，需要修改时请有权限的人解锁。',
    'All {total} are entered. Nothing can be changed afterwards, unless someone with the right unlocks the sheet.',
  ],
  'entry.submitPart': [
    '还有 {n} 条未录入（已录 {entered}/{total}）。提交后不能再修改，需要修改时请有权限的人解锁。',
    '{n} are not entered yet ({entered} of {total}). Nothing can be changed afterwards, unless someone with the right unlocks the sheet.',
  ],
  'entry.figures': [
    '平均 {average}，最高 {highest}，最低 {lowest}',
    'Average {average}, highest {highest}, lowest {lowest}',
  ],
  'entry.fails': ['不及格 {n} 条', '{n} failed'],
  'entry.unsaved': [
    '还有未保存的格子，保存后再提交',
    'Some cells are not saved yet; submit when they are',
  ],
  'entry.notHere': [
    '这里没有录入表，或者您没有修改这些数据的权限',
    'There is no entry sheet here, or you may not change these records',
  ],
  'entry.submitted': ['已提交并锁定', 'Submitted and locked'],
  'entry.lockedBy': ['{name} 已于 {at} 提交并锁定', 'Submitted by {name} at {at} and locked'],
  'entry.unlock': ['解锁', 'Unlock'],
  'entry.unlockTitle': ['解锁后可以再次修改', 'Allow changes again'],
  'entry.reason': ['事由', 'Reason'],
  'entry.reasonShort': ['请写明事由，至少 {n} 个字', 'Give a reason of at least {n} characters'],
  'entry.reasonHint': [
    '事由将连同您的账号和时间写入审计日志。',
    'The reason is recorded in the audit log with your account and the time.',
  ],
  'entry.unlocked': ['已解锁，可以修改', 'Unlocked, changes are possible'],
  'entry.locked': [
    '所在的录入表已提交锁定，不能新增、修改或删除；需要修改时请有解锁权限的人先解锁',
    'Its entry sheet is submitted and locked: nothing can be added, changed or deleted. Ask someone with the right to unlock it',
  ],
  'entry.columnGone': [
    '此表有已提交锁定的录入表，按列 {name} 区分，但已没有实体包含该列，因此不能写入；请在此表的任一实体中加回该列',
    'Sheets of this table are submitted and locked by the column {name}, which no entity has any more, so nothing can be written; add a field for the column to an entity of the table again',
  ],
  'entry.sheetsLocked': [
    '{n} 张录入表已按原来的字段提交锁定，这项修改会使它们无法解锁；请先由有解锁权限的人解锁，或保持录入表的字段不变',
    '{n} sheets are submitted and locked by the present fields; with this change nobody could unlock them. Unlock them first, or keep the fields of the sheets',
  ],
  'entry.alreadyLocked': ['这张表已经提交', 'This sheet is submitted already'],
  'entry.notLocked': ['这张表没有锁定', 'This sheet is not locked'],
  'entry.otherCount': [
    '录入数已变为 {n}，请核对后再提交',
    'Now {n} are entered; check and submit again',
  ],
})
