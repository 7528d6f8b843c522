import { group } from '../group.ts'

/** Answers of the server about entity data, and texts of its sheets. */
export const entityServerTexts = group({
  'pii.show': ['显示', 'Show'],
  'pii.showTitle': ['显示{name}', 'Show {name}'],
  'pii.hide': ['隐藏', 'Hide'],
  'pii.left': ['{n} 秒后隐藏', 'Hidden in {n} s'],
  'pii.reason': ['事由', 'Reason'],
  'pii.reasonHint': [
    '事由将连同您的账号、时间和记录写入审计日志。',
    'The reason is recorded in the audit log with your account, the time and the record.',
  ],
  'pii.exportFull': ['导出完整的敏感信息', 'Export personal data unmasked'],
  'pii.exportMasked': [
    '身份证号、手机号等以遮盖后的形式导出。',
    'ID numbers, mobiles and the like are exported masked.',
  ],
  'pii.reasonShort': ['请填写事由，至少 {n} 个字', 'Give a reason of at least {n} characters'],
  'pii.budget': [
    '每小时最多查看 {n} 次完整的敏感信息，请稍后再试',
    'At most {n} values of personal data can be shown in an hour; try again later',
  ],
  'pii.oneValue': [
    '没有查看敏感信息的权限时，一次只能按一个完整的值查找个人信息',
    'Without the right to see personal data, one whole value of it can be searched for at a time',
  ],
  'pii.searchBudget': [
    '每小时最多按个人信息查找 {n} 个不同的值，请稍后再试，或改用姓名、编号查找',
    'At most {n} different values of personal data can be searched for in an hour; try again later, or search by name or number',
  ],
  'pii.markKept': [
    '取消字段“{name}”的敏感信息标记需要“查看完整的敏感信息”权限',
    'Taking the mark of personal data from the field {name} needs the right to see it unmasked',
  ],
  'pii.notInView': [
    '视图中不能保存敏感信息的查询值',
    'A view cannot keep a value of personal data',
  ],
  'entity.tooManyValues': ['一次最多查询 500 个值', 'At most 500 values may be searched at once'],
  'entity.operand': ['查询值的格式不正确', 'The search value has a wrong format'],
  'entity.whereTooDeep': ['条件最多嵌套 {n} 层', 'Conditions may be nested at most {n} deep'],
  'entity.whereTooMany': ['条件最多 {n} 个', 'At most {n} conditions'],
  'entity.wholeValue': [
    '该字段是个人信息，只能用完整的值查找',
    'This field is personal data and found by its whole value only',
  ],
  'entity.notSummable': [
    '「{label}」不能这样汇总：求和与平均只用于数字，最小与最大只用于数字和日期',
    '“{label}” has no such figure: sum and average need numbers, min and max numbers or dates',
  ],
  'entity.notGroupable': ['「{label}」不能分组', 'Lists cannot be grouped by “{label}”'],
  'entity.noGroupUnit': [
    '「{label}」不是日期，不能按日、月、年分组',
    '“{label}” is no date, so it has no days, months and years',
  ],
  'entity.relatedCount': [
    '相关数据的条数应为 0 到 10,000 的整数：至少、少于或等于',
    'A number of related records is a whole one from 0 to 10,000: at least, fewer than, or equal to',
  ],
  'entity.tableTooWide': [
    '「{label}」有 {n} 个以上的值，交叉表最多 {most} 列。请先筛选，或把它改作行',
    '“{label}” has more than {n} values, and a cross table at most {most} columns: filter first, or make it the rows',
  ],
  'entity.tableSame': ['行和列不能是同一列', 'Rows and columns cannot be the same column'],
  'entity.tableNoFigure': ['没有第 {n} 个汇总', 'There is no figure number {n}'],
  'entity.tableNotNumber': [
    '「{label}」的汇总不是数字，不能与数字比较',
    'The figure of “{label}” is no number, and cannot be compared with one',
  ],
  'entity.tableTooMany': [
    '分组超过 {n} 个，请缩小范围或增加条件',
    'More than {n} groups to export; please narrow the search',
  ],
  'entity.duplicateSort': ['同一列不能重复排序', 'A column may be sorted by only once'],
  'entity.pageSize': ['每页条数不正确', 'Wrong page size'],
  'entity.pageNum': ['页码不正确', 'Wrong page number'],
  'entity.tooManyIds': ['一次最多删除 {n} 条', 'At most {n} records may be deleted at once'],
  'entity.exportTooMany': [
    '导出结果超过 {n} 行，请缩小查询范围',
    'More than {n} rows to export; please narrow the search',
  ],
  'entity.noColumns': ['没有可导出的列', 'There is no column to export'],
  'entity.weakPassword': [
    '密码至少 {n} 位，且不能过于常见',
    'A password needs {n} characters or more and must not be a common one',
  ],
  'entity.sqlButton': [
    '这个按钮要执行 SQL，系统不支持',
    'This button would run SQL, which is not supported',
  ],
  'entity.idTaken': [
    '此编号已被使用：请重新打开表单后再保存',
    'This id is taken: open the form again and save',
  ],
  'entity.otherId': ['编号与地址中的不一致', 'Not the id of the address'],
  'entity.cascade': ['所选项不属于上级选项', 'The chosen item does not belong to the one above it'],
  'entity.paired': [
    '类别与记录须一起填写，或一起清空',
    'Choose the kind and the record together, or empty both',
  ],
  'entity.personTaken': [
    '此人员已关联另一个账号，一个人员最多关联一个账号',
    'Another account is linked to this person, who may have one at most',
  ],
  'entity.ownParent': ['上级不能是自己或自己的下级', 'A record cannot stand below itself'],
  'entity.sheet.template': ['导入模板', 'import template'],
  'entity.sheet.instructions': ['填写说明', 'Instructions'],
  'entity.sheet.column': ['列', 'Column'],
  'entity.sheet.kind': ['类型', 'Kind'],
  'entity.sheet.required': ['必填', 'Required'],
  'entity.sheet.rule': ['要求', 'Rules'],
  'entity.sheet.intro': [
    '请勿修改表头；每行一条记录，从第 3 行开始填写。第 2 行是示例，不会导入；改动后按普通行导入。',
    'Leave the heading as it is; one record per row, from row 3 on. Row 2 is an example: it is not imported unless you change it.',
  ],
  'entity.sheet.textCells': [
    '文本列已设为文本格式，身份证号、学号等请直接填写，不会变成科学计数。',
    'Text columns are formatted as text: ID numbers and codes stay as typed.',
  ],
  'entity.sheet.maxLength': [
    '最多 {n} 个字符（汉字算 2 个）',
    'At most {n} characters (a Chinese character counts as 2)',
  ],
  'entity.sheet.choice': ['填写选项名称', 'The name of an item'],
  'entity.sheet.choices': ['填写选项名称，多个用逗号分隔', 'Names of items, separated by commas'],
  'entity.sheet.date': ['格式 2026-01-31', 'Like 2026-01-31'],
  'entity.sheet.datetime': ['格式 2026-01-31 08:30:00', 'Like 2026-01-31 08:30:00'],
  'entity.sheet.year': ['格式 2026', 'Like 2026'],
  'entity.sheet.time': ['格式 08:30:00', 'Like 08:30:00'],
  'entity.sheet.switch': ['填“是”或“否”', '是 (yes) or 否 (no)'],
  'entity.sheet.number': ['填写数字', 'A number'],
  'entity.sheet.amount': [
    '金额，单位：元，最多两位小数',
    'An amount in yuan, at most two decimals',
  ],
  'entity.sheet.text': ['文本', 'Text'],
  'entity.sheet.example': ['示例', 'Example'],
  'entity.sheet.precision': ['最多 {n} 位小数', 'At most {n} decimals'],
  'entity.sheet.serial': ['留空则自动编号', 'Left empty, a number is given'],
})
