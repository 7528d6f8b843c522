import { group } from '../group.ts'

export const documentTexts = group({
  'document.notEnrolled': [
    '您当前不是在读学生，不能开具在读证明',
    'Proof of enrolment is issued to enrolled students only',
  ],
  'document.noGrades': [
    '暂无成绩记录，不能开具',
    'There are no grades on record yet, so it cannot be issued',
  ],
  'document.missingGlyphs': [
    '字库中没有以下字符，无法制作文件，请联系教务处：{characters}',
    'The document cannot be made, for its font lacks these characters; please contact the registrar: {characters}',
  ],
  'document.revoked': [
    '该文件已被撤销，请联系教务处',
    'This document has been revoked: please contact the registrar',
  ],
  'document.revokedAlready': ['该文件已经撤销过', 'This document is revoked already'],
})
