// Command pulumi-sdks writes the SDKs of a Pulumi package in several languages, each with Pulumi's own generator:
//
//	pulumi-sdks schema.json folder [language…]
//
// Every language gets a folder of its name. Without languages, all of them are written.
package main

import (
	"embed"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"

	dotnet "github.com/pulumi/pulumi-dotnet/pulumi-language-dotnet/v3/codegen"
	golang "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/nodejs"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

const tool = "pulumi-rulesets"

type files = map[string][]byte

var generators = map[string]func(*schema.Package) (files, error){
	"nodejs": func(pkg *schema.Package) (files, error) {
		return nodejs.GeneratePackage(tool, pkg, nil, nil, false, nil)
	},
	"python": func(pkg *schema.Package) (files, error) { return python.GeneratePackage(tool, pkg, nil, nil) },
	"go":     func(pkg *schema.Package) (files, error) { return golang.GeneratePackage(tool, pkg, nil) },
	"dotnet": func(pkg *schema.Package) (files, error) {
		pkg.LogoURL = "file:///logo.png"
		return dotnet.GeneratePackage(tool, pkg, nil, nil)
	},
}

// The generator for .NET downloads the icon of the NuGet package.
//
//go:embed logo.png
var logo embed.FS

func main() {
	http.DefaultTransport.(*http.Transport).RegisterProtocol("file", http.NewFileTransportFS(logo))
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "usage: pulumi-sdks schema.json folder [language…]")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2], os.Args[3:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(schemaFile, folder string, languages []string) error {
	text, err := os.ReadFile(schemaFile)
	if err != nil {
		return err
	}
	if len(languages) == 0 {
		for language := range generators {
			languages = append(languages, language)
		}
		slices.Sort(languages)
	}
	for _, language := range languages {
		if err := write(text, language, filepath.Join(folder, language)); err != nil {
			return fmt.Errorf("%s: %w", language, err)
		}
	}
	return nil
}

// write replaces the folder of a language. Generators change the package they get, so each gets its own.
func write(text []byte, language, folder string) error {
	generate, known := generators[language]
	if !known {
		return fmt.Errorf("no generator for this language")
	}
	pkg, err := bind(text)
	if err != nil {
		return err
	}
	written, err := generate(pkg)
	if err != nil {
		return err
	}
	if err := os.RemoveAll(folder); err != nil {
		return err
	}
	for name, content := range written {
		path := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, content, 0o644); err != nil {
			return err
		}
	}
	return nil
}

func bind(text []byte) (*schema.Package, error) {
	var spec schema.PackageSpec
	if err := json.Unmarshal(text, &spec); err != nil {
		return nil, err
	}
	pkg, problems, err := schema.BindSpec(spec, schema.NewNullLoader(), schema.ValidationOptions{})
	if err != nil {
		return nil, err
	}
	if problems.HasErrors() {
		return nil, fmt.Errorf("the schema is not valid: %s", strings.TrimSpace(problems.Error()))
	}
	return pkg, nil
}
