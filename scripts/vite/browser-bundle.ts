import type { Plugin } from "vite";

/** How the hydrated pages' modules are put together for the browser. */
export function browserBundle(): Plugin {
  return {
    name: "browser-bundle",
    apply: "build",
    enforce: "pre",
    configEnvironment(name) {
      if (name !== "client") return null;
      return { build: { rolldownOptions: { output: { codeSplitting: { groups } } } } };
    },
    // conform makes its few schemas with zod's large interface; the small one, which ours are made with, knows them too.
    resolveId(source, importer, options) {
      if (this.environment.name !== "client" || source !== "zod/v4") return null;
      return this.resolve("zod/v4-mini", importer, { ...options, skipSelf: true });
    },
  };
}

/**
 * Each module that pages share would become a file of its own, some fifty for one page. Grouped by who needs
 * them: every hydrated page, forms, tables, what floats over a page. A group takes along what its modules
 * import, so what everybody needs comes first.
 */
const groups = [
  {
    name: "react",
    test: /node_modules.(react|react-dom|react-router|scheduler)[\\/]/,
    priority: 5,
  },
  {
    name: "parts",
    test: /@mantine.core.esm.(core|components.(UnstyledButton|Button|Loader|Transition|Text|Title|Anchor|Input|InputBase|TextInput|PasswordInput|Checkbox|InlineInput|ActionIcon|CloseButton|VisuallyHidden|Portal))[\\/]/,
    priority: 4,
  },
  {
    name: "forms",
    test: /node_modules.(@conform-to|zod)[\\/]|core.zod[.]ts|app.ui.form-fields/,
    priority: 3,
  },
  {
    name: "frame",
    test: /app.(root|plain-page)[.]|app.ui.(theme.*|logo|mark|product-marks|notice|notify|drawing|error-.*|colour-.*|close-dropdowns|page-.*|nonce|use-hydrated|flash.*|navigation-progress)[.]|core.terms|@mantine.notifications|lucide-react.dist.esm.(createLucideIcon|Icon)/,
    priority: 2,
  },
  {
    name: "floating",
    test: /@floating-ui|@mantine.core.esm.components.(Popover|Tooltip)/,
    priority: 1,
  },
  {
    name: "tables",
    test: /@mantine.core|app.ui.(data-table|table-forms|pagination)/,
    minShareCount: 2,
    priority: 0,
  },
];
