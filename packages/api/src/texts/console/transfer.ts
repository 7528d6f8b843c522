import { group } from '../group.ts'

// docs/rules/contract.md#entity-data; shared by the web and the terminal
export const transferTexts = group({
  'transfer.emptyFile': ['文件是空的', 'The file is empty'],
  'transfer.tooLarge': [
    '文件 {size} MB，超过 {max} MB 的上限，请拆分后分次导入',
    'The file is {size} MB; the limit is {max} MB. Split it and import the parts',
  ],
  'transfer.saved': ['文件已保存', 'File saved'],
})
