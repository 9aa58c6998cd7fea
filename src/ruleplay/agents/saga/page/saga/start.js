// How a saga begins from the first page: in the reader's language, or with a scenario of their own.

export const start = {
  config: (lang) => ({ lang }),
  takes: (name) => /\.md$/i.test(name),
  async open([file], { tell, begin }) {
    tell({ step: 'starting' });
    return begin({ source: await file.text() });
  },
};
