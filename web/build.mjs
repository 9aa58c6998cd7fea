// Builds the web page where the server finds it.
//
// The page is one module, app.js, and each agent's own page another: a browser far away is waiting for
// every file. At its own address each module of src/ stands for its part of app.js, so that an agent from
// elsewhere imports from src/ as it is written, and shares what it imports. Everything goes into one folder
// named by the hash of its content, so that browsers may keep it forever; index.html names that folder.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import * as esbuild from 'esbuild';

import { looksOf } from './looks.mjs';

const HERE = dirname(fileURLToPath(import.meta.url));
const SOURCE = join(HERE, 'src');
const AGENTS = join(HERE, '..', 'src', 'ruleplay', 'agents');
const TARGET = process.argv[2] ?? join(HERE, '..', 'src', 'ruleplay', 'server', 'static');

/** Library modules, by the name under which src/ imports them from ./vendor/. */
const VENDOR = {
  'preact.js': ['htm', 'preact/standalone.module.js'],
  'marked.js': ['marked', 'lib/marked.esm.js'],
  'purify.js': ['dompurify', 'dist/purify.es.mjs'],
  'echarts.js': ['echarts', 'dist/echarts.esm.min.mjs'],
};

/** Fonts, by the name under which design/fonts.css finds them in ./vendor/fonts/. */
const FONTS = {
  'inter.woff2': ['@fontsource-variable/inter', 'files/inter-latin-wght-normal.woff2'],
  'serif-400.woff2': ['@fontsource/source-serif-4', 'files/source-serif-4-latin-400-normal.woff2'],
  'serif-600.woff2': ['@fontsource/source-serif-4', 'files/source-serif-4-latin-600-normal.woff2'],
  'serif-400-italic.woff2': ['@fontsource/source-serif-4', 'files/source-serif-4-latin-400-italic.woff2'],
};

/** The page's one stylesheet, from these in their order. It stands in the document: what the server shows at
 * first (src/ruleplay/server/firstlook.py) waits for no other file. */
const STYLES = [
  'design/fonts.css', 'design/tokens.css', 'styles/base.css', 'styles/layout.css', 'styles/conversation.css',
  'styles/inspector.css', 'styles/figures.css', 'styles/start.css', 'styles/pictures.css',
];

/** What agents show before their modules are loaded: a card, and a stylesheet with their colour. */
const cards = (ending) => agents().map(([folder, file]) => [file.slice(0, -3), join(folder, file.slice(0, -3), `card.${ending}`)]).filter(([, path]) => existsSync(path));

/** Pictures of creatures, an optional package: the page draws silhouettes where there is none. */
const SPRITES = join(HERE, 'node_modules', 'pokesprite-images', 'pokemon-gen8', 'regular');

function filesBelow(folder, recursive = true) {
  return readdirSync(folder, { recursive, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath ?? entry.path, entry.name)))
    .map((path) => path.split(sep).join('/'))
    .sort();
}

/** Licence texts of the libraries: whoever passes their code on has to pass these on too. */
function licences() {
  return [...new Set([...Object.values(VENDOR), ...Object.values(FONTS)].map(([name]) => name))]
    .map((name) => {
      const folder = join(HERE, 'node_modules', name);
      const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      const files = filesBelow(folder, false).filter((file) => /^(licen[sc]e|notice)/i.test(file));
      const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim());
      return [`${name} ${version} (${license})`, ...texts].join('\n\n');
    })
    .join(`\n\n${'-'.repeat(72)}\n\n`);
}

/** Fetched by who draws a chart: more than all the rest together. */
const LATER = 'vendor/echarts.js';
/** Modules that run by themselves and give nothing to others. */
const ALONE = ['app.js', 'boot.js', 'worker.js'];
const APP = 'ruleplay:app';
const OPTIONS = { bundle: true, format: 'esm', minify: true, write: false, sourcemap: 'linked', legalComments: 'none', logLevel: 'warning' };

/** What is handed out compressed: the modules that hold something, and not those of one line. */
const PRESSED = /^(app|agents\/\w+|vendor\/echarts)\.js$/;

const library = (name) => join(HERE, 'node_modules', ...VENDOR[name]);

/** Finds libraries under the names that src/ has for them. */
const libraries = {
  name: 'libraries',
  setup(build) {
    build.onResolve({ filter: /\/vendor\/\w+\.js$/ }, ({ path }) => {
      const name = path.split('/').at(-1);
      return LATER.endsWith(`/${name}`) ? { path: `./${LATER}`, external: true } : { path: library(name) };
    });
  },
};

/** What each module that agents may import exports, by its path in src/. */
async function exported() {
  const own = filesBelow(SOURCE).filter((path) => path.endsWith('.js') && !ALONE.includes(path));
  const vendor = Object.keys(VENDOR).map((name) => `vendor/${name}`).filter((path) => path !== LATER);
  const files = new Map([...own.map((path) => [path, join(SOURCE, path)]), ...vendor.map((path) => [path, library(posix.basename(path))])]);
  const found = new Map();
  for (const [path, file] of files) {
    const { metafile } = await esbuild.build({ entryPoints: [file], bundle: false, format: 'esm', write: false, metafile: true, outdir: 'out' });
    found.set(path, Object.values(metafile.outputs)[0].exports);
  }
  return found;
}

/** A module's exports, taken from where all of them are, under names that no two modules share. */
function taken(exports, path, from) {
  const at = [...exports.keys()].indexOf(path);
  const names = exports.get(path).map((name) => `m${at}$${name} as ${name}`);
  return `export { ${names.join(', ')} } from '${from}';\n`;
}

/** The module that registers the cards; it comes first, since pages are drawn from them. */
const registered = {
  name: 'cards',
  setup(build) {
    build.onResolve({ filter: /^ruleplay:cards$/ }, ({ path }) => ({ path, namespace: 'cards' }));
    build.onLoad({ filter: /.*/, namespace: 'cards' }, () => {
      const lines = cards('js').map(([name, path], at) => `import { card as card${at} } from ${JSON.stringify(path)}; register('${name}', card${at});`);
      return { contents: [`import { register } from './agents/cards.js';`, ...lines].join('\n'), resolveDir: SOURCE };
    });
  },
};

async function appBundle(exports) {
  const given = [...exports].map(([path, names], at) => `export { ${names.map((name) => `${name} as m${at}$${name}`).join(', ')} } from './${path}';`);
  const stdin = { contents: [`import 'ruleplay:cards';`, `import './app.js';`, ...given].join('\n'), resolveDir: SOURCE, sourcefile: 'page.js' };
  return outputs(await esbuild.build({ ...OPTIONS, stdin, plugins: [libraries, registered], outfile: join(SOURCE, 'app.js') }), SOURCE);
}

/** An agent's page; what it imports from outside its folder is the page's, and stays there. */
async function agentBundle(folder, file, exports) {
  const page = {
    name: 'page',
    setup(build) {
      build.onResolve({ filter: /^\./ }, ({ path, resolveDir }) => {
        const inside = relative(folder, join(resolveDir, path)).split(sep).join('/');
        if (!inside.startsWith('../')) return undefined;
        const wanted = posix.join('agents', inside);
        if (!exports.has(wanted)) throw new Error(`${file} imports ${path}, which the page has not`);
        return { path: wanted, namespace: 'page' };
      });
      build.onResolve({ filter: new RegExp(`^${APP}$`) }, () => ({ path: '../app.js', external: true }));
      build.onLoad({ filter: /.*/, namespace: 'page' }, ({ path }) => ({ contents: taken(exports, path, APP) }));
    },
  };
  const entryPoints = [join(folder, file)];
  return outputs(await esbuild.build({ ...OPTIONS, entryPoints, plugins: [page], outfile: join(folder, 'agents', file) }), folder);
}

const outputs = ({ outputFiles }, folder) =>
  outputFiles.map(({ path, contents }) => [relative(folder, path).split(sep).join('/'), Buffer.from(contents)]);

/** The folders of agents that bring a page, with the module that each begins with. */
function agents() {
  const folders = existsSync(AGENTS) ? readdirSync(AGENTS).map((name) => join(AGENTS, name, 'page')).filter(existsSync) : [];
  return folders.flatMap((folder) => filesBelow(folder, false).filter((file) => file.endsWith('.js')).map((file) => [folder, file]));
}

async function modules() {
  const exports = await exported();
  const stubs = [...exports.keys()].map((path) => [path, Buffer.from(taken(exports, path, `${'../'.repeat(path.split('/').length - 1) || './'}app.js`))]);
  const pages = await Promise.all(agents().map(([folder, file]) => agentBundle(folder, file, exports)));
  return [...stubs, ...(await appBundle(exports)), ...pages.flat()];
}

async function collect() {
  const contents = new Map();
  for (const path of filesBelow(SOURCE)) contents.set(path, readFileSync(join(SOURCE, path)));
  for (const [path, content] of await modules()) contents.set(path, content);
  contents.set(LATER, Buffer.from(readFileSync(library(posix.basename(LATER)), 'utf8').replace(/\n?\/\/# sourceMappingURL=\S+\s*$/, '\n')));
  for (const [name, [library, path]] of Object.entries(FONTS)) {
    contents.set(`vendor/fonts/${name}`, readFileSync(join(HERE, 'node_modules', library, path)));
  }
  const sprites = existsSync(SPRITES) ? filesBelow(SPRITES, false).filter((file) => file.endsWith('.png')) : [];
  for (const file of sprites) contents.set(`vendor/sprites/${file}`, readFileSync(join(SPRITES, file)));
  contents.set('vendor/sprites/names.json', Buffer.from(JSON.stringify(sprites.map((file) => file.slice(0, -4)))));
  for (const path of STYLES) contents.delete(path);
  for (const [name, path] of cards('js')) {
    const { brings = {} } = (await import(path)).card;
    for (const [file, from] of Object.entries(brings)) contents.set(`agents/${name}/${file}`, readFileSync(join(dirname(path), from)));
  }
  contents.set('vendor/LICENSES.txt', Buffer.from(licences()));
  return contents;
}

function hashOf(contents) {
  const hash = createHash('sha256');
  for (const [path, content] of contents) hash.update(`${path}\0${content.length}\0`).update(content);
  return hash.digest('hex').slice(0, 12);
}

/** The page's looks, shortened, for a document; fonts are found from there. */
async function looks(base) {
  const texts = [...STYLES.map((path) => join(SOURCE, path)), ...cards('css').map(([, path]) => path)].map((path) => readFileSync(path, 'utf8'));
  const { code } = await esbuild.transform(texts.join('\n').replaceAll('url("../vendor/', `url("${base}/vendor/`), { loader: 'css', minify: true });
  return code;
}

/** What the server shows before the page can: see looks.mjs. */
async function firstLooks() {
  const agentCards = await Promise.all(cards('js').map(async ([name, path]) => {
    const { card } = await import(path);
    const { words } = await import(join(dirname(path), 'words.js'));
    const wide = /^export const wide = true/m.test(readFileSync(join(dirname(path), '..', `${name}.js`), 'utf8'));
    return { name, card, words, wide };
  }));
  const found = {};
  for (const language of ['en', 'fr']) {
    const { [language]: words } = await import(join(SOURCE, 'i18n', `${language}.js`));
    found[language] = looksOf(words, language, agentCards);
  }
  return found;
}

async function build() {
  const contents = await collect();
  const page = contents.get('index.html').toString();
  contents.delete('index.html');
  const base = `/static/${hashOf(contents)}`;
  rmSync(TARGET, { recursive: true, force: true });
  for (const [path, content] of contents) {
    const file = join(TARGET, base.slice('/static/'.length), path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    // Pressed once here, as hard as it goes, and not for every visitor.
    if (PRESSED.test(path)) writeFileSync(`${file}.br`, brotliCompressSync(content));
  }
  writeFileSync(join(TARGET, 'first.json'), JSON.stringify(await firstLooks()));
  const styles = await looks(base);
  const document = page.replaceAll('{{base}}', base).replace('{{styles}}', () => styles);
  // At its own address it is what worker.js keeps for when no server answers.
  for (const path of ['index.html', `${base.slice('/static/'.length)}/shell.html`]) writeFileSync(join(TARGET, path), document);
  return contents.size + 1;
}

console.error(`web page: ${await build()} files in ${relative(process.cwd(), TARGET) || '.'}`);
