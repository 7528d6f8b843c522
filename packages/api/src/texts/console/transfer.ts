import { group } from '../group.ts'

// docs/rules/contract.md#entity-data; shared by the web and the terminal
export const transferTexts = group({
  'transfer.saveAsXlsx': [
    '这是旧格式的表格，请先另存为 .xlsx 再导入',
    'This is an old kind of sheet: save it as .xlsx first',
  ],
  'transfer.badKind': [
    '只能导入 .xlsx、.csv 或 .ndjson 文件',
    'Only .xlsx, .csv and .ndjson files can be imported',
  ],
  'transfer.emptyFile': ['文件是空的', 'The file is empty'],
  'transfer.tooLarge': [
    '文件 {size} MB，超过 {max} MB 的上限，请拆分后分次导入',
    'The file is {size} MB; the limit is {max} MB. Split it and import the parts',
  ],
  'transfer.saved': ['文件已保存', 'File saved'],
})
