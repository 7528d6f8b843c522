import { group } from '../group.ts'

export const cliBulkTexts = group({
  'cli.entity.bulkUpdate': [
    '修改符合条件的全部数据，先检查再执行',
    'change all rows that match, checked before anything is changed',
  ],
  'cli.entity.recompute': [
    '按公式重新计算符合条件的全部数据，先检查再执行',
    'compute the derived fields of all rows that match anew, checked before anything is changed',
  ],
  'cli.entity.bulkDelete': [
    '删除符合条件的全部数据，先检查再执行',
    'delete all rows that match, checked before anything is deleted',
  ],
  'cli.opt.where': [
    '条件，可重复：字段=值，区间用 ..',
    'which rows, repeatable: field=value, ranges with ..',
  ],
  'cli.opt.all': ['没有条件：全部数据', 'no condition: every row'],
  'cli.opt.bulkDryRun': ['只检查并列出变化，不修改', 'check and list the changes, change nothing'],
  'cli.opt.bulkOnError': [
    '有不能处理的数据时：skip 跳过（默认）、abort 全部放弃',
    'rows that are refused: skip them (default), or abort all',
  ],
  'cli.opt.bulkResults': [
    '把每条数据的结果与原因保存到此文件',
    'save what became of each row to this file',
  ],
  'cli.bulk.needWhere': [
    '请用 --where 指定条件；要处理全部数据请加 --all',
    'Say which rows with --where; for every row say --all',
  ],
  'cli.bulk.needSet': [
    '请用 --set 字段=值 指定要修改的内容',
    'Say what to change with --set field=value',
  ],
  'cli.bulk.needYes': [
    '非终端环境须加 --yes，或用 --dry-run 只检查',
    'Without a terminal this needs --yes, or --dry-run to check only',
  ],
  'cli.bulk.left': ['没有执行', 'Nothing was done'],
  'cli.bulk.some': ['有 {n} 条不能处理', '{n} rows were refused'],
})
