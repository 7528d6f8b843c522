import { group } from '../group.ts'

export const pdfTexts = group({
  'pdf.loading': ['正在打开文档…', 'Opening the document…'],
  'pdf.broken': ['文档无法打开，可能已损坏', 'The document cannot be opened; it may be damaged'],
  'pdf.password': [
    '文档设有打开密码，请下载后查看',
    'The document has a password: download it to open it',
  ],
  'pdf.previous': ['上一页', 'Previous page'],
  'pdf.next': ['下一页', 'Next page'],
  'pdf.page': ['页码', 'Page'],
  'pdf.of': ['/ {pages}', '/ {pages}'],
  'pdf.zoomIn': ['放大', 'Zoom in'],
  'pdf.zoomOut': ['缩小', 'Zoom out'],
  'pdf.fit': ['适合宽度', 'Fit the width'],
  'pdf.pageLabel': ['{name}，第 {page} 页，共 {pages} 页', '{name}, page {page} of {pages}'],
})
