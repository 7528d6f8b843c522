import type { MachineWords } from './machine-words.ts'

export const printPreview = {
  name: ['打印预览', 'The print preview'],
  place: [
    '在打印服务中选一份文件，打开预览',
    'Choose a document at the print desk and open its preview',
  ],
  states: {
    loading: ['正在生成预览', 'the preview is made'],
    failed: ['预览失败', 'the preview failed'],
    shown: ['预览已显示', 'the preview is shown'],
    downloading: ['正在下载', 'downloading'],
    closed: ['已关闭', 'closed'],
  },
  events: {
    'print.retry': ['按“{common.retry}”', 'Press “{common.retry}”'],
    'print.download': ['按“{common.download}”', 'Press “{common.download}”'],
    'print.close': ['按“{common.close}”', 'Press “{common.close}”'],
  },
  calls: {
    preview: ['生成预览', 'making the preview'],
    download: ['下载文件', 'downloading the file'],
  },
  endings: { 'preview.pdf': ['成功', 'it succeeds'] },
} as const satisfies MachineWords
