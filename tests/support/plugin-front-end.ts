// The lifecycle tests drive the provider plugin instead of the dynamic provider.
process.env.FRONT_END = "plugin";
